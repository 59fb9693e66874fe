/** The element at an index. Throws `RangeError` outside of the array: a default value would hide a wrong index. */
export function elementAt<T extends {}>(array: ArrayLike<T>, index: number): T {
  const element = array[index]
  if (element === undefined) throw new RangeError(`Index ${index} is outside of an array of ${array.length}.`)
  return element
}
