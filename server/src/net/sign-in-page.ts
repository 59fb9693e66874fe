const SIGN_IN = /^(?:log-?in|sign-?in|sso|auth|authenticate|wp-login\.php)$/i

/** Why a site cannot be read, if it leads to a sign-in page instead of the address that was asked for. Null otherwise. */
export function signInPage(asked: URL, landed: URL): string | null {
  const isSignIn = (url: URL) => url.pathname.split('/').some((segment) => SIGN_IN.test(segment))
  if (!isSignIn(landed) || isSignIn(asked)) return null
  return `${asked.href} leads to the sign-in page ${landed.origin}${landed.pathname}, and forms are not filled in. Sign in with a browser, copy the Cookie header that it then sends to ${asked.origin} (in its developer tools, under Network), and save it as site access.`
}
