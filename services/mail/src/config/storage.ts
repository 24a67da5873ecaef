import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { oneOf, path, secret, text, url } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type Environment } from '@stoa/kit/config.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** The same variables as the content service has: both may share a folder or a bucket, each with its own part of it. */
export const storageVariables = {
  DATA_DIR: path({ default: './data', doc: 'Folder of the embedded database and of stored files.' }),
  STORAGE_DRIVER: oneOf(
    'local',
    'object',
  )({
    required: 'production',
    defaultText: 'local; production must say',
    doc: 'Where messages are kept: local (a folder) or object (an S3-compatible store).',
  }),
  STORAGE_LOCAL_DIR: path({
    defaultText: 'DATA_DIR/blobs; production must say',
    doc: 'Folder of stored files for the local driver; messages are in the folder mail inside it, which all processes share.',
  }),
  OBJECT_ENDPOINT: url(
    'https',
    'http',
  )({ doc: 'Address of the object store, such as https://s3.eu-central-1.amazonaws.com.' }),
  OBJECT_BUCKET: text({ doc: 'Bucket of the object store.' }),
  OBJECT_REGION: text({ default: 'us-east-1', doc: 'Region of the object store.' }),
  OBJECT_ACCESS_KEY: text({ doc: 'Access key of the object store.' }),
  OBJECT_SECRET_KEY: secret({ doc: 'Secret key of the object store.' }),
}

/** Where messages are kept. What is on its way to an object store waits in `temporaryFolder`. */
export type Storage =
  | { readonly driver: 'local'; readonly folder: string }
  | {
      readonly driver: 'object'
      readonly endpoint: string
      readonly bucket: string
      readonly region: string
      readonly accessKey: string
      readonly secretKey: Secret
      /** What our objects start with, in a bucket that others may share. */
      readonly prefix: string
      readonly temporaryFolder: string
    }

/** Throws ConfigError when something that the driver needs is missing. */
export const readStorage = (values: ConfigOf<typeof storageVariables>, environment: Environment): Storage => {
  const folder = values.STORAGE_LOCAL_DIR
  if (values.STORAGE_DRIVER !== 'object') {
    if (folder === undefined && environment === 'production')
      throw new ConfigError([{ name: 'STORAGE_LOCAL_DIR', problem: 'Give the folder of stored files.' }])
    return { driver: 'local', folder: join(folder ?? join(values.DATA_DIR, 'blobs'), 'mail') }
  }
  const { OBJECT_ENDPOINT, OBJECT_BUCKET, OBJECT_ACCESS_KEY, OBJECT_SECRET_KEY } = values
  const given = { OBJECT_ENDPOINT, OBJECT_BUCKET, OBJECT_ACCESS_KEY, OBJECT_SECRET_KEY }
  if (!OBJECT_ENDPOINT || !OBJECT_BUCKET || !OBJECT_ACCESS_KEY || !OBJECT_SECRET_KEY)
    throw new ConfigError(
      Object.entries(given)
        .filter(([, value]) => value === undefined)
        .map(([name]) => ({ name, problem: 'The object driver needs it.' })),
    )
  return {
    driver: 'object',
    endpoint: OBJECT_ENDPOINT,
    bucket: OBJECT_BUCKET,
    region: values.OBJECT_REGION,
    accessKey: OBJECT_ACCESS_KEY,
    secretKey: OBJECT_SECRET_KEY,
    prefix: 'mail',
    temporaryFolder: folder === undefined ? join(tmpdir(), `stoa-mail-${userInfo().uid}`) : join(folder, 'mail'),
  }
}
