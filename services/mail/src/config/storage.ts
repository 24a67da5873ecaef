import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { oneOf, path } from '@stoa/kit/config/kinds.ts'
import { type ObjectStore, objectStoreVariables, readObjectStore } from '@stoa/kit/config/object-store.ts'
import { ConfigError, type ConfigOf, type Environment } from '@stoa/kit/config.ts'

/** The same variables as the content service has: both may share a folder or a bucket, each with its own part of it. */
export const storageVariables = {
  DATA_DIR: path({ default: './data', doc: 'Folder for the embedded database and stored files.' }),
  STORAGE_DRIVER: oneOf(
    'local',
    'object',
  )({
    required: 'production',
    defaultText: 'local; required in production',
    doc: 'Where to store messages: local (a folder) or object (an S3-compatible object store).',
  }),
  STORAGE_LOCAL_DIR: path({
    defaultText: 'DATA_DIR/blobs; required in production',
    doc: 'Folder for stored files with the local driver. Messages are in its subfolder mail, which all processes share.',
  }),
  ...objectStoreVariables,
}

/** Where messages are kept. What is on its way to an object store waits in `temporaryFolder`. */
export type Storage =
  | { readonly driver: 'local'; readonly folder: string }
  | (ObjectStore & {
      readonly driver: 'object'
      /** Prefix of our objects in a bucket that others may share. */
      readonly prefix: string
      readonly temporaryFolder: string
    })

/** Throws ConfigError when something that the driver needs is missing. */
export const readStorage = (values: ConfigOf<typeof storageVariables>, environment: Environment): Storage => {
  const folder = values.STORAGE_LOCAL_DIR
  if (values.STORAGE_DRIVER !== 'object') {
    if (folder === undefined && environment === 'production')
      throw new ConfigError([{ name: 'STORAGE_LOCAL_DIR', problem: 'Enter the folder for stored files.' }])
    return { driver: 'local', folder: join(folder ?? join(values.DATA_DIR, 'blobs'), 'mail') }
  }
  return {
    driver: 'object',
    ...readObjectStore(values),
    prefix: 'mail',
    temporaryFolder: folder === undefined ? join(tmpdir(), `stoa-mail-${userInfo().uid}`) : join(folder, 'mail'),
  }
}
