// `npm run cms:types [-- --url <address> --key <delivery key>] [--out <file>]`: TypeScript types of the content types.
// Without an address they are read from the database of this instance, whether it runs or not.
import * as fs from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readDatabaseUrl } from '@stoa/cms/config.ts'
import { listAllTypes } from '@stoa/cms/content/types/content-type.ts'
import type { Tables } from '@stoa/cms/tables.ts'
import { type ContentType, createClient } from '@stoa/cms-client'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { schemaTypes } from '@stoa/cms-model/schema-types.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { runCommand } from './command.ts'
import { loadEnvironment } from './environment.ts'
import { selectServices, services } from './services.ts'
import { print, printError } from './terminal.ts'

const main = async (args: string[]): Promise<number> => {
  const { values } = parseArgs({
    args,
    options: { url: { type: 'string' }, key: { type: 'string' }, out: { type: 'string' }, local: { type: 'boolean' } },
  })
  const { env } = loadEnvironment()
  const url = values.url ?? env.CMS_URL
  const apiKey = values.key ?? env.CMS_API_KEY
  if (values.local) return write(await readLocal(), values.out)
  if (url && apiKey) return write(await createClient({ url, apiKey }).types(), values.out)
  if (url) throw new Error('A delivery key is missing. Set CMS_API_KEY or use --key')
  const [cms] = selectServices(services, ['cms'])
  return cms ? runCommand([cms], 'scripts/cms-types.ts', [...args, '--local']) : 1
}

/** The types in the database that CMS_DATABASE_URL names, as a key for all of them would see them. */
const readLocal = async (): Promise<ContentType[]> => {
  const log = createLogger({ name: 'cms-types', level: 'warn' })
  const database = openDatabase<Tables>({ url: readDatabaseUrl(process.env).reveal(), poolSize: 1, log })
  try {
    const types = await listAllTypes(database.db)
    return types.map(({ name, label, kind, fields }) => ({ name, label, kind, fields: visible(fields), locales: [] }))
  } finally {
    await database.close()
  }
}

const visible = (fields: readonly Field[]): ContentType['fields'] =>
  fields
    .filter(({ hidden }) => !hidden)
    .map((field) => (field.type === 'list' ? { ...field, fields: visible(field.fields) } : { ...field }))

const write = (types: readonly ContentType[], out: string | undefined): number => {
  const text = schemaTypes(types)
  if (out === undefined) {
    process.stdout.write(text)
    return 0
  }
  const file = resolve(process.env.INIT_CWD ?? '.', out)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  print(`${types.length} content types written to ${file}`)
  return 0
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)).catch(printError))
