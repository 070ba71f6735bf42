import type { Client, Connection } from "pg";
import type { Described, DescribedColumn } from "./engine.js";

/**
 * What a server says of a statement that it is handed but never executes: Parse and Describe of the unnamed prepared statement. Rejects with the driver's
 * error; the connection can be used on.
 */
export function describeOnWire(client: Client, sql: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: readonly DescribedColumn[] = [];
    const takeParameters = ({ dataTypeIDs }: ParameterDescription) => {
      parameters = dataTypeIDs;
    };
    client.query({
      submit(connection: Connection) {
        // The client hands on every message but this one; after an error it does not come.
        connection.once("parameterDescription", takeParameters);
        connection.once("readyForQuery", () =>
          connection.off("parameterDescription", takeParameters),
        );
        connection.parse({ name: "", text: sql, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: RowDescription) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ kind: "described", parameters, columns }),
    });
  });
}

interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}
