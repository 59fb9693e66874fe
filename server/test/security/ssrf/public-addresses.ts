/** Addresses of the tests' public names. */
export const PUBLIC_V4 = '93.184.216.34'
export const PUBLIC_V6 = '2606:2800:220:1::1'

/** Every address that the tests may connect to; all others are forbidden. */
export const PUBLIC_ADDRESSES = new Set([
  PUBLIC_V4,
  PUBLIC_V6,
  '172.32.0.1',
  '192.169.0.1',
  '100.128.0.1',
  '11.0.0.1',
  '169.253.0.1',
  '198.20.0.1',
  '192.0.1.1',
  '2a00::1',
])
