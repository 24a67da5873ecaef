import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CmsAnswer, type CmsOptions, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'

export type Upload = {
  filename?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
  path?: string
  /** The member that holds the file. */
  member?: string
}

export type Library = CmsService & {
  folder: string
  editor: Person
  author: Person
  /** Sends a form with this file. */
  send(person: Person, bytes: Buffer, upload?: Upload): Promise<CmsAnswer>
  /** The record of a file that was taken; the test fails if it is refused. */
  add(bytes: Buffer, upload?: Upload): Promise<CmsAnswer['body']>
  /** What is at this address, as bytes. */
  fetch(url: string, options?: { method?: string; headers?: Record<string, string> }): Promise<Served>
  /** Names of files in the store, and of unfinished uploads. */
  stored(): { blobs: string[]; temporary: string[] }
  rows(): Promise<{ id: string; filename: string; version: number; blob_key: string }[]>
}

export type Served = { status: number; headers: Headers; bytes: Buffer }

/** A service with a store of its own. */
export const startLibrary = async (options: CmsOptions = {}): Promise<Library> => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-media-'))
  const service = await startCms({ ...options, env: { STORAGE_LOCAL_DIR: folder, ...options.env } })
  const editor = await service.person('editor')
  const author = await service.person('author')

  const send: Library['send'] = async (person, bytes, upload = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(upload.fields ?? {})) form.set(name, value)
    form.set(upload.member ?? 'file', new Blob([new Uint8Array(bytes)]), upload.filename ?? 'picture')
    const response = await fetch(service.url + (upload.path ?? '/api/media'), {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${person.token}`, ...upload.headers },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }

  return {
    ...service,
    folder,
    editor,
    author,
    send,
    async add(bytes, upload) {
      const answer = await send(editor, bytes, upload)
      assert.equal(answer.status, upload?.path === undefined ? 201 : 200, answer.text)
      return answer.body
    },
    async fetch(url, { method = 'GET', headers = {} } = {}) {
      const { pathname, search } = new URL(url, service.url)
      const response = await fetch(service.url + pathname + search, { method, headers, redirect: 'manual' })
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
    },
    stored() {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => ({ name, isTemporary: parentPath.endsWith('/tmp') }))
      return {
        blobs: names
          .filter(({ isTemporary }) => !isTemporary)
          .map(({ name }) => name)
          .sort(),
        temporary: names.filter(({ isTemporary }) => isTemporary).map(({ name }) => name),
      }
    },
    rows: () =>
      service.cms.database.db
        .selectFrom('media')
        .select(['id', 'filename', 'version', 'blob_key'])
        .orderBy('id')
        .execute(),
    async close() {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs an attempt that must be refused with this code and leave rows, store and Activity as they were. */
export const refused = async (
  library: Library,
  code: string,
  attempt: () => Promise<CmsAnswer>,
): Promise<CmsAnswer> => {
  const state = async () => ({
    rows: await library.rows(),
    stored: library.stored(),
    activity: await library.cms.database.db.selectFrom('activity').select('id').orderBy('id').execute(),
  })
  const before = await state()
  const answer = await attempt()
  assert.equal(answer.body?.code, code, `${answer.status} ${answer.text}`)
  assert.deepEqual(await state(), before)
  return answer
}

export const fieldsOf = ({ body }: CmsAnswer): string[] => body.details.fields.map(({ key }: { key: string }) => key)
