import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { resolve } from 'node:path'
import { layerEnv, readEnvFile } from '@stoa/kit/config/env-file.ts'

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '..')

/** The settings that all programs of an instance share. */
export type Environment = { env: NodeJS.ProcessEnv; envFile: string; dataDir: string }

/** Reads the `.env` file below the real environment and makes the data folder. */
export const loadEnvironment = (real: NodeJS.ProcessEnv = process.env): Environment => {
  const envFile = resolve(root, real.ENV_FILE || '.env')
  const env = layerEnv(real, readEnvFile(envFile))
  const dataDir = resolve(root, env.DATA_DIR || 'data')
  // Under root, PostgreSQL's own user has to pass through; nobody else may look inside.
  fs.mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  return { env: { ...env, DATA_DIR: dataDir }, envFile, dataDir }
}

/** On the first start, writes a secret into the `.env` file. Production must bring its own. */
export const ensureSecret = (environment: Environment, print: (line: string) => void): Environment => {
  const { env, envFile } = environment
  if (env.SECRET || env.NODE_ENV === 'production') return environment
  const line = `SECRET=${randomBytes(32).toString('base64url')}\n`
  print(`Writing a new SECRET into ${envFile}`)
  if (fs.existsSync(envFile)) addLine(envFile, line)
  else createOnce(envFile, `${HEADER}${line}`)
  return { ...environment, env: { ...env, SECRET: readEnvFile(envFile).SECRET } }
}

const HEADER = `# Settings of this instance; docs/config.md lists them all. Environment variables override this file.
# SECRET signs sessions and encrypts stored credentials. Back it up, and keep it secret.
`

/** `SECRET=` without a value, as in a copied example, makes room for the new one. */
const addLine = (file: string, line: string): void => {
  const text = fs.readFileSync(file, 'utf8').replace(/^SECRET=[ \t]*\n?/m, '')
  fs.writeFileSync(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`)
}

/** An instance with another data folder may share the file and start at this moment: the first one's text stays. */
const createOnce = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, text, { mode: 0o600 })
  try {
    fs.linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    fs.rmSync(draft)
  }
}
