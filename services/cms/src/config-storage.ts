import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { oneOf, path, url } from '@stoa/kit/config/kinds.ts'
import { type ObjectStore, objectStoreVariables, readObjectStore } from '@stoa/kit/config/object-store.ts'
import { ConfigError, type ConfigOf, type Environment } from '@stoa/kit/config.ts'

/** Where the service keeps its data. */
export const storageVariables = {
  DATA_DIR: path({ default: './data', doc: 'Folder for the embedded database and stored files.' }),
  STORAGE_DRIVER: oneOf(
    'local',
    'object',
  )({
    required: 'production',
    defaultText: 'local; required in production',
    doc: 'Where to store uploaded files: local (a folder) or object (an S3-compatible object store).',
  }),
  STORAGE_LOCAL_DIR: path({
    defaultText: 'DATA_DIR/blobs/cms; required in production',
    doc: 'Folder for uploaded files with the local driver. All processes of a site share it.',
  }),
  ...objectStoreVariables,
  OBJECT_PUBLIC_URL: url(
    'https',
    'http',
  )({
    doc: 'URL where browsers can read the bucket. Requests for images are then redirected there.',
  }),
}

/** Where uploaded files are kept. Unfinished uploads wait in `temporaryFolder`. */
export type Storage =
  | { readonly driver: 'local'; readonly folder: string }
  | (ObjectStore & {
      readonly driver: 'object'
      /** Where browsers may read the bucket; null: only through the service. */
      readonly publicUrl: string | null
      readonly temporaryFolder: string
    })

/** Throws ConfigError when something that the driver needs is missing. */
export const readStorage = (values: ConfigOf<typeof storageVariables>, environment: Environment): Storage => {
  if (values.STORAGE_DRIVER !== 'object') {
    if (values.STORAGE_LOCAL_DIR === undefined && environment === 'production')
      throw new ConfigError([{ name: 'STORAGE_LOCAL_DIR', problem: 'Enter the folder for uploaded files.' }])
    return { driver: 'local', folder: values.STORAGE_LOCAL_DIR ?? join(values.DATA_DIR, 'blobs', 'cms') }
  }
  return {
    driver: 'object',
    ...readObjectStore(values),
    publicUrl: values.OBJECT_PUBLIC_URL ?? null,
    temporaryFolder: values.STORAGE_LOCAL_DIR ?? join(tmpdir(), `stoa-cms-uploads-${userInfo().uid}`),
  }
}
