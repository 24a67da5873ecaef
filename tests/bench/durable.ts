import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import pg from 'pg'

/** A database on a PostgreSQL with the settings that a service has, fsync included; gone afterwards. */
export const durableDatabase = async (): Promise<{ url: string; drop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pg-'))
  const server = await startPostgres({ folder })
  const admin = new pg.Client({ connectionString: server.url('postgres') })
  await admin.connect()
  await admin.query('create database bench')
  await admin.end()
  return {
    url: server.url('bench'),
    async drop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
