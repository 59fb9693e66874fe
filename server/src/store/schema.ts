import type { Outcome } from '@docent/contract/values/outcomes'
import type { Role } from '@docent/contract/values/permissions'
import type { SourceType } from '@docent/contract/values/sources'
import type { Generated } from 'kysely'
import type { KNOWN_CLIENTS } from './migrations/content.ts'
import type { FIRST_TABLES } from './migrations/first.ts'
import type { LATER_TABLES } from './migrations/later.ts'

type Camel<Name> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<Camel<Rest>>}` : Name

type Trim<Text> = Text extends `${' ' | '\n'}${infer Rest}` ? Trim<Rest> : Text

/** The type of a declared column, or never for a table constraint. */
type Value<Declaration> = Declaration extends `text${string}`
  ? string
  : Declaration extends `blob${string}`
    ? Uint8Array
    : Declaration extends `${'bigint' | 'integer' | 'double' | 'serial'}${string}`
      ? number
      : never

type Column<Declaration> = Declaration extends `${string}${'serial' | ' default '}${string}`
  ? Generated<Value<Declaration>>
  : Declaration extends `${string}${'not null' | 'primary key'}${string}`
    ? Value<Declaration>
    : Value<Declaration> | null

/** Columns of the text between the parentheses of `create table`, as a union of `[name, declaration]`. */
type Declared<Text, Done = never> = Text extends `${infer Part},${infer Rest}`
  ? Declared<Rest, Done | Pair<Trim<Part>>>
  : Done | Pair<Trim<Text>>
type Pair<Part> = Part extends `${infer Name} ${infer Declaration}`
  ? [Value<Declaration>] extends [never]
    ? never
    : [name: Camel<Name>, declaration: Declaration]
  : never
type Columns<Pairs> = { [P in Pairs & [string, string] as P[0]]: Column<P[1]> }

/** The tables that migrations create. */
type Tables<Sql, Done = unknown> = Sql extends `${string}create table ${infer Name} (${infer Body};${infer Rest}`
  ? Tables<Rest, Done & { [Table in Camel<Name>]: Columns<Declared<Body>> }>
  : Done

/** The columns that migrations add to tables. */
type Added<
  Sql,
  Done = unknown,
> = Sql extends `${string}alter table ${infer Name} add column ${infer Column};${infer Rest}`
  ? Added<Rest, Done & { [Table in Camel<Name>]: Columns<Declared<Column>> }>
  : Done

type Written = Tables<`${typeof FIRST_TABLES}${typeof KNOWN_CLIENTS}${typeof LATER_TABLES}`> &
  Added<typeof LATER_TABLES>

/** Tables in which `migrations/outcomes.sql` replaced the status of calls. References to pages replaced citations. */
type Counted = 'calls' | 'callHours' | 'callDays' | 'callGroups'
type WithOutcome<Table> = Omit<Table, 'status' | 'unanswered' | 'citations'> & { outcome: Outcome }

type Created = {
  [T in keyof Written]: T extends Counted
    ? WithOutcome<Written[T]>
    : // The password is the person's since migration 42.
      T extends 'accounts'
      ? Omit<Written[T], 'passwordHash'>
      : Written[T]
}

/** Columns whose values are narrower than their SQL says. */
type Narrowed = {
  configurations: { layout: 'horizontal' | 'vertical' }
  servers: {
    visibility: 'public' | 'private'
    refresh: Generated<'off' | 'hourly' | 'daily' | 'weekly'>
    webPages: Generated<'off' | 'unlisted' | 'listed'>
  }
  sources: { type: SourceType; crawlStatus: 'pending' | 'crawling' | 'complete' | 'error' }
  credentials: { headerName: 'Authorization' | 'X-API-Key' }
  linkedAccounts: { kind: Generated<'github' | 'gitlab' | 'gitea' | 'bitbucket'>; via: Generated<'token' | 'app'> }
  siteAccess: { kind: 'basic' | 'header' | 'cookie' }
  purchases: { kind: 'sources' | 'plan'; state: 'requested' | 'granted' | 'refused' | 'withdrawn' }
  webhookDeliveries: { state: 'queued' | 'delivered' | 'failed' }
  pages: { state: 'queued' | 'indexed' | 'skipped' | 'failed' }
  jobs: { state: 'queued' | 'running' | 'done' | 'failed' }
  modelUsage: { kind: 'chat' | 'embeddings' }
  callGroups: { dimension: 'all' | 'tool' | 'client' | 'configuration' }
  customTools: { status: 'building' | 'ready' | 'failed' }
  pins: { effect: 'first' | 'never' }
  members: { role: Role }
  invitations: { role: Role }
  // Null since migration 49: the endpoint of the account.
  oauthGrants: { serverId: string | null }
  oauthTokens: { kind: 'code' | 'access' | 'refresh' }
}

type Narrow<Table, Columns> = { [C in keyof Table]: C extends keyof Columns ? Columns[C] : Table[C] }

/**
 * The tables, identical in both engines, inferred from the SQL that creates them: columns and their meaning are in
 * `migrations/`. Times are milliseconds since 1970, flags are 0 or 1, JSON is text, hashes are SHA-256 in hex. With one
 * common form, each query is written only once.
 */
export type Schema = {
  [T in keyof Created]: T extends keyof Narrowed ? Narrow<Created[T], Narrowed[T]> : Created[T]
}
