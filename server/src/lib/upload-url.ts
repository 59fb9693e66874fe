const SCHEME = 'upload://'

/**
 * The address of an uploaded file, or, without a path, of the upload as a source. It names and does not lead anywhere:
 * no request ever goes to this scheme, and no caller can have one made, since addresses that callers give are http(s).
 */
export function uploadUrl(name: string, path = ''): string {
  return `${SCHEME}${name}/${path.split('/').map(encodeURIComponent).join('/')}`
}

export const isUploadUrl = (url: string): boolean => url.startsWith(SCHEME)

/** The name of an upload, from the address of its source. */
export function uploadName(url: string): string {
  return url.slice(SCHEME.length).split('/', 1)[0] ?? ''
}

/** What is said of an upload that was announced and has not come. */
export const NOTHING_UPLOADED = 'Nothing has been uploaded yet.'
