export declare function retiredModule(subpath: string, names: readonly string[]): string;
export declare function retiredTypes(values: readonly string[], types: readonly string[]): string;
