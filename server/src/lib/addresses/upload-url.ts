const SCHEME = 'upload://'

/**
 * The address of an uploaded file or, without a path, of the upload as a source. It is an identifier only: nothing
 * fetches this scheme, and addresses from callers must be http(s).
 */
export function uploadUrl(name: string, path = ''): string {
  return `${SCHEME}${name}/${path.split('/').map(encodeURIComponent).join('/')}`
}

export const isUploadUrl = (url: string): boolean => url.startsWith(SCHEME)

/** Extracts the name of an upload from its source address. */
export function uploadName(url: string): string {
  return url.slice(SCHEME.length).split('/', 1)[0] ?? ''
}

/** Status message of an announced upload that has not arrived. */
export const NOTHING_UPLOADED = 'Nothing has been uploaded yet.'
