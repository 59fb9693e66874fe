/** What a member of an account may do, from the least to the most. Each role includes those before it. */
export const ROLES = {
  viewer: 'sees servers, usage and the request log, and asks questions',
  editor: 'changes sources, tools, rules and widgets too',
  owner: 'does everything, also visibility, deletion of servers, keys, webhooks, orders and members',
} as const

export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]]

/** True if `role` includes everything that `needed` may do. */
export const includesRole = (role: Role, needed: Role): boolean =>
  ROLE_NAMES.indexOf(role) >= ROLE_NAMES.indexOf(needed)

/** What an API key may do. A key without scopes may do everything. */
export const KEY_SCOPES = {
  read: 'lists, settings and usage',
  ask: 'questions and calls of tools',
  write: 'sources, tools, rules and widgets',
  publish: 'visibility, deletion, tokens, keys, members and orders',
} as const

export type KeyScope = keyof typeof KEY_SCOPES
export const KEY_SCOPE_NAMES = Object.keys(KEY_SCOPES) as [KeyScope, ...KeyScope[]]
