import { z } from 'zod'
import { createdAt, ok, pageParameter, paging, serverId, updatedAt } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { PLAN_NAMES } from './purchases.ts'
import { EmailSchema } from './sessions.ts'

/** Entries per answer of the lists for the operator. */
export const INSTANCE_PAGE_SIZE = 20

const count = z.number().int().min(0)
const bytes = z.number().int().min(0)

const PlanNameSchema = z.enum(PLAN_NAMES)

const NodeSchema = z.object({
  id: z.string().describe('Id of the node, new with every start'),
  role: z.string().describe('`all`, `web` or `worker`'),
  version: z.string().describe('Version of Docent'),
  host: z.string().describe('Name of its machine'),
  since: z.iso.datetime().describe('Begin of its oldest connection to the database; of this node, its start'),
  isThis: z.boolean().describe('Whether this node answered'),
})

const ModelSchema = z.object({
  model: z.string().describe('Name of the model'),
  at: z.string().describe('Host of the provider, or `this machine`'),
})

const getInstance = defineOperation({
  method: 'GET',
  path: '/api/instance',
  auth: 'operator',
  needs: ['owner', 'read'],
  summary: 'Read the state of the instance',
  description:
    'Of the database, of the node that answers and of its machine. On PostgreSQL, `nodes` lists the processes that are connected to the database.',
  input: z.object({}),
  output: z.object({
    version: z.string().describe('Version of Docent on this node'),
    nodeVersion: z.string().describe('Version of Node.js'),
    startedAt: z.iso.datetime().describe('Start of this node'),
    url: z.string().describe('Address of the service'),
    database: z
      .object({
        engine: z.enum(['sqlite', 'postgres']).describe('Database engine'),
        version: z.string().describe('Version of the engine'),
        bytes: bytes.describe('Size of the database'),
        answerMs: z.number().min(0).describe('Duration of one read, in milliseconds'),
      })
      .describe('The database'),
    disk: z
      .object({
        folder: z.string().describe('The data folder'),
        freeBytes: bytes.describe('Free space for the service'),
        totalBytes: bytes.describe('Size of the disk'),
      })
      .describe('The disk of the data folder'),
    memory: z
      .object({
        usedBytes: bytes.describe('Memory of the main process'),
        freeBytes: bytes.describe('Free memory of the machine'),
        totalBytes: bytes.describe('Memory of the machine'),
        processors: count.describe('Processors that the service can use'),
      })
      .describe('Memory and processors of this node'),
    nodes: z.array(NodeSchema).describe('Nodes of the instance, the oldest first'),
    queue: z
      .object({
        queued: count.describe('Waiting jobs'),
        running: count.describe('Running jobs'),
        failed: count.describe('Failed jobs that nothing has repeated since'),
        oldestDueAt: z.iso
          .datetime()
          .nullable()
          .describe('Time since which the oldest due job waits; null: none is due'),
      })
      .describe('Background jobs'),
    storage: z
      .object({
        accounts: count.describe('Accounts'),
        servers: count.describe('Servers, without deleted ones'),
        sources: count.describe('Sources of these servers'),
        pages: count.describe('Indexed pages'),
        textCharacters: count.describe('Characters of indexed text'),
        indexBytes: bytes.describe('Size of the indexes'),
        uploadBytes: bytes.describe('Size of uploaded files'),
      })
      .describe('What the instance stores'),
    models: z
      .object({
        language: ModelSchema.nullable().describe('The language model that writes answers; null: none'),
        embeddings: ModelSchema.nullable().describe('The embedding model of searches; null: none'),
        browser: z.boolean().describe('Whether a browser renders pages that need JavaScript'),
      })
      .describe('Models and the browser'),
    settings: z
      .object({
        signUps: z.boolean().describe('Whether anybody can make an account'),
        passwords: z.boolean().describe('Whether people can sign in with a password'),
        defaultPlan: PlanNameSchema.describe('Plan of new accounts'),
        rateLimits: z.boolean().describe('Whether rate limits apply'),
      })
      .describe('Settings that concern accounts'),
  }),
  errors: ['unauthorized', 'operator_only', 'key_scoped'],
})

const JobStateSchema = z.enum(['queued', 'running', 'failed'])

const listJobs = defineOperation({
  method: 'GET',
  path: '/api/instance/jobs',
  auth: 'operator',
  needs: ['owner', 'read'],
  summary: 'List the background jobs of all accounts in one state',
  description:
    'Failed jobs: the latest failure first, without those that were repeated or whose source was indexed since. Others: the first to run first.',
  input: z.object({
    state: JobStateSchema.default('failed').describe('Only jobs in this state'),
    page: pageParameter,
  }),
  output: z.object({
    jobs: z
      .array(
        z.object({
          id: z.string().describe('Id of the job'),
          kind: z.enum(['ingest', 'purge']).describe('`ingest` indexes a source, `purge` removes a deleted server'),
          state: JobStateSchema.describe('As requested'),
          attempts: count.describe('Attempts so far'),
          error: z.string().nullable().describe('Message of the last failed attempt; null: none failed'),
          server: z
            .object({ serverId, name: z.string().describe('Name of the server') })
            .nullable()
            .describe('The server; null if it is gone'),
          source: z.string().nullable().describe('Address of the source; null for jobs without one'),
          account: z.string().nullable().describe('Email address of the account; null if the server is gone'),
          runAt: z.iso.datetime().describe('When it was or will be due'),
          createdAt,
          updatedAt,
        }),
      )
      .describe('Jobs in this state'),
    ...paging(INSTANCE_PAGE_SIZE),
  }),
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'invalid_input'],
})

const retryJob = defineOperation({
  method: 'POST',
  path: '/api/instance/jobs/{jobId}/retry',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'failedJob',
  summary: 'Repeat a failed job',
  description: 'It is queued again with all its attempts, unless the same work is queued or running already.',
  input: z.object({ jobId: z.string().describe('Id of the job') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'job_not_found'],
})

const retryAllJobs = defineOperation({
  method: 'POST',
  path: '/api/instance/jobs/retry',
  auth: 'operator',
  needs: ['owner', 'publish'],
  summary: 'Repeat all failed jobs',
  input: z.object({}),
  output: z.object({ ok, retried: count.describe('Jobs that were queued again') }),
  errors: ['unauthorized', 'operator_only', 'key_scoped'],
})

const dismissJob = defineOperation({
  method: 'DELETE',
  path: '/api/instance/jobs/{jobId}',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'failedJob',
  summary: 'Dismiss a failed job',
  description: 'It leaves the list, with earlier failures of the same work. Nothing is repeated.',
  input: z.object({ jobId: z.string().describe('Id of the job') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'job_not_found'],
})

const AccountSchema = z.object({
  id: z.string().describe('Id of the account'),
  email: z.string().describe('Email address'),
  plan: PlanNameSchema.describe('Plan of the account'),
  isOperator: z.boolean().describe('Whether it is the operator’s'),
  trialEndsAt: z.iso.datetime().nullable().describe('End of the trial; null: without one'),
  servers: count.describe('Servers, without deleted ones'),
  requests: count.describe('Calls of tools in this calendar month'),
  disabledAt: z.iso.datetime().nullable().describe('When it was switched off; null: it is on'),
  createdAt,
})

const listAccounts = defineOperation({
  method: 'GET',
  path: '/api/instance/accounts',
  auth: 'operator',
  needs: ['owner', 'read'],
  summary: 'List the accounts of the instance, the newest first',
  input: z.object({
    email: z.string().trim().min(1).max(100).optional().describe('Only accounts whose address contains this text'),
    page: pageParameter,
  }),
  output: z.object({
    accounts: z.array(AccountSchema).describe('Accounts of the instance'),
    ...paging(INSTANCE_PAGE_SIZE),
  }),
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'invalid_input'],
})

const changeAccountPlan = defineOperation({
  method: 'PUT',
  path: '/api/instance/accounts/{accountId}/plan',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'anyAccount',
  summary: 'Move an account to another plan',
  description: 'It takes effect with the next request. What exceeds a smaller plan stays, but nothing can be added.',
  input: z.object({
    accountId: z.string().describe('Id of the account'),
    plan: PlanNameSchema.describe('The new plan'),
  }),
  output: AccountSchema,
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'account_not_found', 'invalid_input'],
})

const accountId = z.string().describe('Id of the account')
const LinkSchema = z.object({
  link: z.string().describe('Works once, for seven days. It is shown only here'),
  email: z.string().describe('Address of the person for whom it is'),
})
const LINK = {
  link: 'https://docent.example.com/invite#dmi_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM',
  email: 'ann@example.com',
}

const inviteAccount = defineOperation({
  method: 'POST',
  path: '/api/instance/accounts',
  auth: 'operator',
  needs: ['owner', 'publish'],
  summary: 'Make an account, and a link by which a person becomes its owner',
  description: 'Works also if nobody can sign up. Docent sends no mail: give the link to the person.',
  input: z.object({
    email: EmailSchema.describe('Address of the person'),
    plan: PlanNameSchema.optional().describe('Plan of the account; that of new accounts by default'),
  }),
  output: LinkSchema,
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'invalid_input', 'email_taken'],
  example: { input: { email: LINK.email }, output: LINK },
})

const switchAccount = defineOperation({
  method: 'PUT',
  path: '/api/instance/accounts/{accountId}/disabled',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'anyAccount',
  summary: 'Switch an account off or on again, with effect on the next request',
  description:
    'Its keys, sessions, tokens, connections and servers are then refused on every node. Nothing is deleted.',
  input: z.object({ accountId, disabled: z.boolean().describe('`true` switches it off') }),
  output: AccountSchema,
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'account_not_found', 'invalid_input', 'account_is_operator'],
})

const resetAccount = defineOperation({
  method: 'POST',
  path: '/api/instance/accounts/{accountId}/reset',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'anyAccount',
  summary: 'Reset the password of the owner of an account, and make a link for a new one',
  description:
    'The old password and all sessions of the owner end. Keys stay valid. Of an account without an owner, the link makes one.',
  input: z.object({ accountId }),
  output: LinkSchema,
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'account_not_found', 'password_sign_in_off'],
  example: { input: { accountId: 'acc_4Gh8tQmZk2VwYd4RxLbN7c' }, output: LINK },
})

const BackupSchema = z.object({
  name: z.string().describe('Name of the file, or of the folder in the bucket'),
  bytes: bytes.describe('Size of all data; while a file is being written, its size so far'),
  createdAt: z.iso.datetime().describe('Time of the backup'),
  isComplete: z.boolean().describe('`false` while it is being written'),
})

const listBackups = defineOperation({
  method: 'GET',
  path: '/api/instance/backups',
  auth: 'operator',
  needs: ['owner', 'read'],
  summary: 'List the backups in the backup folder of this node, the newest first',
  description: 'The files are not read. `docent backup list` verifies them.',
  input: z.object({}),
  output: z.object({
    folder: z
      .string()
      .describe('The folder, on the machine of this node or, after `s3:`, in the bucket of the settings'),
    backups: z.array(BackupSchema).describe('Backups in the folder'),
    lastError: z
      .string()
      .nullable()
      .describe('Why the last backup that this node began through the interface failed; null if it did not'),
  }),
  errors: ['unauthorized', 'operator_only', 'key_scoped'],
})

const createBackup = defineOperation({
  method: 'POST',
  path: '/api/instance/backups',
  auth: 'operator',
  needs: ['owner', 'publish'],
  actsOutside: true,
  summary: 'Begin a backup of all data, without waiting for its end',
  description:
    'This node writes it to its backup folder. One is written at a time. It does not contain the key of stored credentials. `GET /api/instance/backups` shows its progress.',
  input: z.object({}),
  output: BackupSchema,
  errors: ['unauthorized', 'operator_only', 'key_scoped', 'backup_running'],
})

export const instanceOperations = {
  'instance.get': getInstance,
  'instance.jobs': listJobs,
  'instance.retryJob': retryJob,
  'instance.retryJobs': retryAllJobs,
  'instance.dismissJob': dismissJob,
  'instance.accounts': listAccounts,
  'instance.changePlan': changeAccountPlan,
  'instance.inviteAccount': inviteAccount,
  'instance.switchAccount': switchAccount,
  'instance.resetAccount': resetAccount,
  'instance.backups': listBackups,
  'instance.createBackup': createBackup,
} as const
