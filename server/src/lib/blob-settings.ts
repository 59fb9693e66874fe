import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError, type Environment, bothOf, httpUrl, onOff, readVariables } from './settings.ts'

/** Places for segments and uploads. */
export const BLOB_PLACES = ['database', 'folder', 's3'] as const

const text = z.string().nullish().default(null)
const encryption = z.enum(['AES256', 'aws:kms']).nullish().default(null)

/** Settings of the places for segments and uploads. */
export const blobVariables = {
  /** Place of new ones. */
  place: ['DOCENT_BLOBS', z.enum(BLOB_PLACES).default('database')],
  folder: ['DOCENT_BLOBS_DIR', z.string().optional()],
  /** Megabytes on the disk of each node for copies of objects in the bucket. */
  cacheMb: ['DOCENT_BLOBS_CACHE', z.coerce.number('must be megabytes').int().min(0).default(1_000)],
  bucket: ['DOCENT_S3_BUCKET', text],
  /** Address of the server. Null: that of Amazon in the region. */
  endpoint: ['DOCENT_S3_ENDPOINT', httpUrl.nullish().default(null)],
  region: ['DOCENT_S3_REGION', z.string().default('us-east-1')],
  /** Begin of all keys in the bucket. */
  prefix: ['DOCENT_S3_PREFIX', z.string().default('')],
  /** The bucket is in the path of addresses, not in the name of the host. */
  isPathStyle: ['DOCENT_S3_PATH_STYLE', onOff.optional()],
  accessKeyId: ['DOCENT_S3_ACCESS_KEY', z.string().optional()],
  secretAccessKey: ['DOCENT_S3_SECRET_KEY', z.string().optional()],
  /** Encryption by the server. Null: as the bucket says. */
  encryption: ['DOCENT_S3_ENCRYPTION', encryption],
  kmsKey: ['DOCENT_S3_KMS_KEY', text],
} as const

/** The places for segments and uploads: where new ones go, the folder, and the bucket if there is one. */
export function loadBlobs(environment: Environment, dataDir: string) {
  const given = readVariables(environment, blobVariables)
  const {
    place,
    folder: givenFolder,
    cacheMb,
    bucket,
    prefix,
    isPathStyle,
    accessKeyId,
    secretAccessKey,
    ...others
  } = given
  if (place === 's3' && bucket === null) throw new ConfigError('DOCENT_BLOBS=s3 needs DOCENT_S3_BUCKET.')
  const credentials = bothOf({ accessKeyId, secretAccessKey }, 'DOCENT_S3_ACCESS_KEY and DOCENT_S3_SECRET_KEY')
  const s3 =
    bucket === null
      ? null
      : {
          ...others,
          bucket,
          prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
          isPathStyle: isPathStyle ?? others.endpoint !== null,
          /** Null: those of the machine are used, as by every program of Amazon. */
          credentials,
        }
  return { place, folder: resolve(givenFolder ?? join(dataDir, 'blobs')) as string | null, s3, cacheMb }
}
