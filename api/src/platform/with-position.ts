/** A command's response together with the log position of the last event the command appended. */
export class WithPosition<T> {
  constructor(
    readonly position: string,
    readonly body: T,
  ) {}
}
