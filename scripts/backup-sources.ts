import { readFilesConfig } from '@stoa/cms/config.ts'
import { backupSource as cmsSource } from '@stoa/cms/content/media/backup.ts'
import { openMediaStore } from '@stoa/cms/content/media/store.ts'
import type { RestoreTarget } from '@stoa/kit/backup/restore.ts'
import { loadConfig } from '@stoa/kit/config.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { backupSource as mailSource, openBlobs } from '@stoa/mail/blobs.ts'
import { readStorage, storageVariables } from '@stoa/mail/config/storage.ts'
import { variables as mailVariables } from '@stoa/mail/config.ts'

/** The data of a service to back up and restore, by the settings of the instance. */
export const sourceOf = (name: string, env: NodeJS.ProcessEnv, url: string): RestoreTarget => ({
  ...(name === 'cms' ? cmsOf : mailOf)(env, new Secret(url)),
  migrations: new URL(`../services/${name}/migrations/`, import.meta.url),
})

const cmsOf = (env: NodeJS.ProcessEnv, databaseUrl: Secret) => {
  const { secret, storage } = readFilesConfig(env)
  return cmsSource({ databaseUrl, secret }, openMediaStore({ storage }))
}

const mailOf = (env: NodeJS.ProcessEnv, databaseUrl: Secret) => {
  const { SECRET, NODE_ENV } = mailVariables
  const values = loadConfig({ ...storageVariables, SECRET, NODE_ENV }, { env })
  const storage = readStorage(values, values.NODE_ENV)
  return mailSource({ databaseUrl, secret: values.SECRET }, () => openBlobs(storage))
}
