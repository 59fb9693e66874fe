type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** The members that are not undefined. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
}
