import type { Client, Connection } from "pg";
import type { Described, DescribedColumn } from "./engine.js";

/**
 * What a server says of a statement that it is handed but never executes: Parse and Describe of the unnamed prepared statement, in one round trip with a
 * command before and, when it is described, after it. Rejects with the driver's error; the connection can be used on.
 */
export function describeOnWire(client: Client, sql: string, around: string): Promise<Described> {
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
        connection.stream.cork();
        writeCommand(around, connection);
        connection.parse({ name: "", text: sql, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        writeCommand(around, connection);
        connection.sync();
        connection.stream.uncork();
      },
      handleRowDescription({ fields }: RowDescription) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery: () => resolve({ kind: "described", parameters, columns }),
    });
  });
}

function writeCommand(text: string, connection: Connection): void {
  connection.parse({ name: "", text, types: [] }, true);
  connection.bind({}, true);
  connection.execute(null, true);
}

interface ParameterDescription {
  readonly dataTypeIDs: readonly number[];
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}
