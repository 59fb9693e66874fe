import type { OperationId } from '@docent/contract/operations'

/** A query that a screen makes when it opens. `:slug` in the input is that part of the screen's path. */
type Read = readonly [id: OperationId, input: Readonly<Record<string, string>>]
type Entry = {
  path: `/${string}`
  file: string
  /** In headings, the title of the tab, the palette and the path above. */
  title: string
  /** Its document and section, as in `/docs/HELP`. */
  help: string
  reads: readonly Read[]
  /** What the whole screen is for. Members who may not do that find it in no menu, and the reason at its address. */
  to?: OperationId
  /** Queries without filters: made only if the address has no query. */
  plainReads?: readonly Read[]
}

const SERVER_HEAD = [
  ['servers.get', { id: ':slug' }],
  ['retrievalRules.ofServer', { id: ':slug' }],
  ['analytics.summary', { id: ':slug' }],
] as const satisfies Read[]

const PLAN_SCREEN = {
  file: 'limits',
  title: 'Plan and limits',
  help: 'dashboard#plan-and-limits',
  reads: [
    ['account.entitlements', {}],
    ['servers.list', {}],
    ['plans.list', {}],
  ],
  plainReads: [['purchases.list', { page: '1' }]],
} as const satisfies Omit<Entry, 'path'>

/**
 * The screens: path, file in `screens/`, title, documentation and queries. From this list the build tells the service
 * what to send with the page of each screen, so that the browser asks for all of it at once.
 */
export const SCREENS = [
  {
    path: '/servers',
    file: 'servers',
    title: 'Servers',
    help: 'dashboard#servers',
    reads: [
      ['servers.list', {}],
      ['analytics.recent', {}],
    ],
  },
  { path: '/new', to: 'servers.create', file: 'new-server', title: 'New server', help: 'dashboard#servers', reads: [] },
  {
    path: '/deleted',
    to: 'servers.restore',
    file: 'deleted',
    title: 'Deleted servers',
    help: 'dashboard#servers',
    reads: [['servers.list', {}]],
  },
  {
    path: '/keys',
    file: 'keys',
    title: 'API keys',
    help: 'dashboard#api-keys',
    reads: [
      ['keys.list', {}],
      ['connections.list', {}],
      ['servers.list', {}],
    ],
  },
  {
    path: '/team',
    file: 'team',
    title: 'Team',
    help: 'members',
    reads: [
      ['members.list', {}],
      ['servers.list', {}],
    ],
  },
  {
    path: '/audit',
    file: 'audit',
    title: 'Audit log',
    help: 'members#the-audit-log',
    to: 'audit.list',
    reads: [
      ['members.list', {}],
      ['servers.list', {}],
    ],
    plainReads: [['audit.list', { page: '1' }]],
  },
  {
    path: '/approvals',
    file: 'approvals',
    title: 'Approvals',
    help: 'members#approvals',
    to: 'approvals.list',
    reads: [['approvals.list', {}]],
  },
  { path: '/account', file: 'account', title: 'Account', help: 'dashboard#account', reads: [['setup.get', {}]] },
  { path: '/plan', ...PLAN_SCREEN },
  // The address of earlier versions.
  { path: '/limits', ...PLAN_SCREEN },
  {
    path: '/developers',
    to: 'credentials.get',
    file: 'developers',
    title: 'Developer portal',
    help: 'widget#for-developers',
    reads: [['credentials.get', {}]],
  },
  {
    path: '/widgets',
    to: 'configurations.list',
    file: 'widgets',
    title: 'Widgets',
    help: 'widget',
    reads: [
      ['configurations.list', {}],
      ['servers.list', {}],
    ],
  },
  {
    path: '/analytics',
    file: 'analytics',
    title: 'Analytics',
    help: 'dashboard#analytics-of-the-account',
    reads: [
      ['servers.list', {}],
      ['analytics.recent', {}],
    ],
  },
  { path: '/instance', file: 'instance', title: 'Instance', help: 'dashboard#instance', reads: [['instance.get', {}]] },
  {
    path: '/webhooks',
    to: 'webhooks.list',
    file: 'webhooks',
    title: 'Webhooks',
    help: 'webhooks',
    reads: [['webhooks.list', {}]],
  },
  { path: '/reference', file: 'reference', title: 'API reference', help: 'account-endpoint', reads: [] },
  {
    path: '/servers/:slug',
    file: 'overview',
    title: 'Overview',
    help: 'dashboard#overview',
    reads: [...SERVER_HEAD, ['tools.get', { id: ':slug' }], ['pages.questions', { id: ':slug' }]],
  },
  {
    path: '/servers/:slug/pages',
    file: 'pages',
    title: 'Pages',
    help: 'dashboard#pages',
    reads: SERVER_HEAD,
    plainReads: [['pages.list', { id: ':slug', page: '1', sort: 'newest' }]],
  },
  {
    path: '/servers/:slug/playground',
    file: 'playground',
    title: 'Playground',
    help: 'dashboard#playground',
    reads: [...SERVER_HEAD, ['tools.get', { id: ':slug' }]],
  },
  {
    path: '/servers/:slug/tools',
    file: 'tools',
    title: 'Tools',
    help: 'tools',
    reads: [...SERVER_HEAD, ['tools.get', { id: ':slug' }], ['customTools.list', {}]],
  },
  {
    path: '/servers/:slug/rules',
    file: 'rules',
    title: 'Rules',
    help: 'rules',
    reads: [...SERVER_HEAD, ['pins.list', { id: ':slug' }]],
  },
  {
    path: '/servers/:slug/requests',
    file: 'requests',
    title: 'Requests',
    help: 'analytics',
    reads: [...SERVER_HEAD],
    plainReads: [
      ['analytics.report', { id: ':slug', range: '30d' }],
      ['analytics.quality', { id: ':slug', range: '30d', interval: 'day' }],
    ],
  },
  {
    path: '/servers/:slug/widget',
    file: 'server-widget',
    title: 'Widget',
    help: 'widget',
    reads: [...SERVER_HEAD, ['configurations.list', {}], ['servers.list', {}]],
  },
  {
    path: '/servers/:slug/settings',
    file: 'settings',
    title: 'Settings',
    help: 'dashboard#settings-of-a-server',
    reads: SERVER_HEAD,
  },
] as const satisfies readonly Entry[]

export type ScreenFile = (typeof SCREENS)[number]['file']

/** Paths that lead to an account, and then to the servers. */
export const FRONT: readonly string[] = ['/', '/setup', '/sign-in', '/sign-up', '/invite']
/** Queries on every page: the session, and with it the requests of this month. */
export const SESSION_READS = ['sessions.list', 'account.usage'] as const satisfies readonly OperationId[]
/** Queries without a session: that refusal, and whether the instance has an account already. */
export const FRONT_READS = ['sessions.list', 'setup.get'] as const satisfies readonly OperationId[]
