/** Parameter in the fragment of an address that selects a part of a long page. Only this service reads it. */
const PART = /[#&]docent-part=(\d{1,4})$/

/** The address of a part of a page, from 1. */
export function partAddress(url: string, part: number): string {
  return `${url}${url.includes('#') ? '&' : '#'}docent-part=${part}`
}

/** The address of a page, and the number of the part if the address selects one. */
export function splitPartAddress(address: string): { url: string; part: number | null } {
  const match = PART.exec(address)
  return match === null ? { url: address, part: null } : { url: address.slice(0, match.index), part: Number(match[1]) }
}
