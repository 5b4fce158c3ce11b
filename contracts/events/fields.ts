/** A field of an event: its type, the check of its value, and the event version that added it. */
export interface Field<T> {
  readonly isValid: (value: unknown) => value is T;
  readonly version: number;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Fields that a later version added are optional. */
export type DataOf<F> = {
  [Name in keyof F as undefined extends ValueOf<F[Name]> ? never : Name]: ValueOf<F[Name]>;
} & { [Name in keyof F as undefined extends ValueOf<F[Name]> ? Name : never]?: ValueOf<F[Name]> };

/** The types of the data of these events, by the events' types. */
export type DataByType<Events> = { [Type in keyof Events]: DataOf<Events[Type]> };

const field = <T>(isValid: (value: unknown) => boolean): Field<T> => ({
  isValid: isValid as Field<T>['isValid'],
  version: 1,
});

/** A text. Only the auditor checks that it is one of `T`. Postgres holds no zero character. */
export const textOf = <T extends string>() => field<T>((value) => typeof value === 'string' && !value.includes('\0'));
export const text = textOf<string>();
export const intOf = <T extends number>() => field<T>(Number.isSafeInteger);
export const int = intOf<number>();
export const flag = field<boolean>((value) => typeof value === 'boolean');

export const nullable = <T>({ isValid }: Field<T>) => field<T | null>((value) => value === null || isValid(value));

export const listOf = <T>({ isValid }: Field<T>) =>
  field<readonly T[]>((value) => Array.isArray(value) && value.every((one) => isValid(one)));

/** An object with these fields, and no others. */
export const object = <F extends Fields>(fields: F) =>
  field<DataOf<F>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.keys(value).length === Object.keys(fields).length &&
      Object.entries(fields).every(([name, { isValid }]) => isValid((value as Record<string, unknown>)[name])),
  );

/** A field that this version of the event added: an event of an earlier version lacks it. */
export const since = <T>(version: number, of: Field<T>): Field<T | undefined> => ({ ...of, version });
