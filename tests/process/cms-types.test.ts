import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fieldTypeNames } from '@stoa/cms-model/fields/types/index.ts'
import { startCms } from '../lib/cms.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')

const OPTIONS: Record<string, object> = {
  select: { options: [{ value: 'it is', label: 'A' }] },
  multiselect: { options: [{ value: 'b', label: 'B' }] },
  reference: { to: 'blog-post', multiple: false },
  list: {
    fields: [
      { key: 'class', type: 'text' },
      { key: 'more', type: 'list', fields: [{ key: 'tags', type: 'reference', to: 'article' }] },
    ],
  },
}

test('cms:types writes types of all eighteen field types that compile, by address and from the database alike', async (t) => {
  const service = await startCms()
  t.after(() => service.close())
  const folder = temporaryFolder(t)
  const admin = await service.person('admin')
  const fields = fieldTypeNames.map((type) => ({ key: `${type}Field`, type, ...OPTIONS[type] }))
  const secret = { key: 'secretField', type: 'text', hidden: true }
  for (const type of [
    { name: 'blog-post', label: 'Blog post' },
    { name: 'home', label: 'Home', kind: 'single', fields: [{ key: 'headline', type: 'text' }] },
    { name: 'article', label: 'Article', fields: [] },
  ])
    assert.equal((await admin.client.post('/api/types', type)).status, 201)
  const changed = await admin.client.put('/api/types/article', { fields: [...fields, secret] })
  assert.equal(changed.status, 200, changed.text)
  const { key } = (await admin.client.post('/api/delivery-keys', { name: 'Types', types: ['*'] })).body

  const run = async (args: string[], env: Record<string, string>): Promise<string> => {
    const program = startProgram(process.execPath, [join(root, 'scripts/cms-types.ts'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATA_DIR: folder, ENV_FILE: join(folder, '.env'), INIT_CWD: folder, ...env },
    })
    assert.equal(await program.ends(), 0, program.output())
    return program.output()
  }
  const byAddress = await run(['--url', service.url], { CMS_API_KEY: key })
  assert.match(
    await run(['--local', '--out', 'types/cms.ts'], { CMS_DATABASE_URL: service.databaseUrl }),
    /3 content types/,
  )
  const file = join(folder, 'types/cms.ts')
  assert.equal(fs.readFileSync(file, 'utf8'), byAddress)
  assert.doesNotMatch(byAddress, /secretField/)

  fs.writeFileSync(join(folder, 'types/consumer.ts'), CONSUMER)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
  const target = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom']
  const args = [tsc, ...options, ...target, 'types/consumer.ts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})

const CONSUMER = `
import type { ArticleData, BlogPostData, CmsSchema, HomeData, MediaFile } from './cms.ts'

export const read = (data: ArticleData): void => {
  const texts: string[] = [data.textField, data.textareaField, data.richtextField, data.markdownField, data.urlField, data.emailField]
  const dates: (string | null)[] = [data.dateField, data.datetimeField, data.colorField]
  const number: number | null = data.numberField
  const boolean: boolean = data.booleanField
  const one: 'it is' | null = data.selectField
  const several: 'b'[] = data.multiselectField
  const file: MediaFile | null = data.mediaField
  const files: MediaFile[] = data.galleryField
  const post: BlogPostData | undefined = data.referenceField?.data
  const type: 'blog-post' | undefined = data.referenceField?.type
  const inner: string | undefined = data.listField[0]?.class
  const tag: 'article' | undefined = data.listField[0]?.more[0]?.tags[0]?.type
  const json: unknown = data.jsonField
  console.log(texts, dates, number, boolean, one, several, file, files, post, type, inner, tag, json)
  // @ts-expect-error not an option
  const wrong: 'c'[] = data.multiselectField
  console.log(wrong)
}
export const home: HomeData = { headline: 'x' }
export const kinds: [CmsSchema['blog-post']['kind'], CmsSchema['home']['kind']] = ['collection', 'single']
`
