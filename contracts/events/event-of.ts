/** The events that a map from type to data describes, as a union: all of them, or those of these types. */
export type EventOf<DataByType, Types extends keyof DataByType = keyof DataByType> = {
  [Type in Types]: { type: Type; data: DataByType[Type] };
}[Types];
