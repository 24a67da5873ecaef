import { ConfigError, type ConfigOf } from '../config.ts'
import type { Secret } from '../secret.ts'
import { secret, text, url } from './kinds.ts'

/** What a service asks for that can keep files in an S3-compatible store. Services may share a bucket. */
export const objectStoreVariables = {
  OBJECT_ENDPOINT: url(
    'https',
    'http',
  )({ doc: 'URL of the object store, like https://s3.eu-central-1.amazonaws.com.' }),
  OBJECT_BUCKET: text({ doc: 'Bucket of the object store.' }),
  OBJECT_REGION: text({ default: 'us-east-1', doc: 'Region of the object store.' }),
  OBJECT_ACCESS_KEY: text({ doc: 'Access key of the object store.' }),
  OBJECT_SECRET_KEY: secret({ doc: 'Secret key of the object store.' }),
}

export type ObjectStore = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: Secret
}

/** Throws ConfigError that names all that is missing. */
export const readObjectStore = (values: ConfigOf<typeof objectStoreVariables>): ObjectStore => {
  const { OBJECT_ENDPOINT, OBJECT_BUCKET, OBJECT_ACCESS_KEY, OBJECT_SECRET_KEY } = values
  const given = { OBJECT_ENDPOINT, OBJECT_BUCKET, OBJECT_ACCESS_KEY, OBJECT_SECRET_KEY }
  if (!OBJECT_ENDPOINT || !OBJECT_BUCKET || !OBJECT_ACCESS_KEY || !OBJECT_SECRET_KEY)
    throw new ConfigError(
      Object.entries(given)
        .filter(([, value]) => value === undefined)
        .map(([name]) => ({ name, problem: 'Required by the object driver.' })),
    )
  return {
    endpoint: OBJECT_ENDPOINT,
    bucket: OBJECT_BUCKET,
    region: values.OBJECT_REGION,
    accessKey: OBJECT_ACCESS_KEY,
    secretKey: OBJECT_SECRET_KEY,
  }
}
