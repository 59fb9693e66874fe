/** What a client may do with a private server to which a person connected it, as the page for that says it. */
export const OAUTH_SCOPES = {
  read: 'see its tools and read its pages',
  ask: 'search it and ask it questions, which count towards your calls of the month',
} as const

export type OAuthScope = keyof typeof OAUTH_SCOPES
