import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, freshDatabase, templateDatabase, testCluster } from './cluster.ts'

const query = async (url: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

describe('databases for tests', () => {
  // The server may be that of an earlier run.
  const key = randomUUID()

  test('a fresh database is empty, and gone after drop', async () => {
    const database = await freshDatabase()
    const { rowCount } = await query(database.url, "select from pg_class where relnamespace = 'public'::regnamespace")
    assert.equal(rowCount, 0)
    await database.drop()
    await assert.rejects(query(database.url, 'select 1'), { code: '3D000' })
  })

  test('drop ends connections that are still open', async () => {
    const database = await freshDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const ended = new Promise((resolve) => client.on('error', resolve))
    await database.drop()
    assert.match(String(await ended), /terminat/)
  })

  test('a template is built once, also by callers that come at the same time', async () => {
    let builds = 0
    const build = async (url: string): Promise<void> => {
      builds++
      await query(url, "create table note (text text); insert into note values ('from the template')")
    }
    const names = await Promise.all([1, 2, 3].map(() => templateDatabase('notes', key, build)))
    assert.equal(builds, 1)
    assert.equal(new Set(names).size, 1)
  })

  test('copies of a template share nothing', async () => {
    const template = await templateDatabase('copies', key, async (url) => {
      await query(url, "create table note (text text); insert into note values ('from the template')")
    })
    const [one, two] = await Promise.all([cloneDatabase(template), cloneDatabase(template)])
    await query(one.url, "update note set text = 'changed'")
    assert.deepEqual((await query(two.url, 'select text from note')).rows, [{ text: 'from the template' }])
    await Promise.all([one.drop(), two.drop()])
  })

  test('a template whose builder failed is built afresh', async () => {
    const broken = templateDatabase('broken', key, async (url) => {
      await query(url, 'create table half (id int)')
      throw new Error('the build broke')
    })
    await assert.rejects(broken, /the build broke/)
    const template = await templateDatabase(
      'broken',
      key,
      async (url) => void (await query(url, 'create table whole ()')),
    )
    const database = await cloneDatabase(template)
    const { rows } = await query(
      database.url,
      "select relname from pg_class where relnamespace = 'public'::regnamespace",
    )
    assert.deepEqual(rows, [{ relname: 'whole' }])
    await database.drop()
  })

  test('the role of tests is no superuser', async () => {
    const { rows } = await query(await testCluster(), "select current_setting('is_superuser') as superuser")
    assert.deepEqual(rows, [{ superuser: 'off' }])
  })
})
