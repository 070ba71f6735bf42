/** The part of Ajv's error object that the runtime reads. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  /** Generated validators leave it out: the runtime words what `keyword` and `params` say. */
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Set when the fault is that of a property's name: then the path is the object's. */
  readonly propertyName?: string;
}
