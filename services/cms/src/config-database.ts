import { integer, secretUrl } from '@stoa/kit/config/kinds.ts'

const postgresUrl = secretUrl('postgres', 'postgresql')

export const databaseVariables = {
  CMS_DATABASE_URL: postgresUrl({
    required: true,
    alias: ['DATABASE_URL'],
    defaultText: 'the embedded PostgreSQL',
    doc: 'PostgreSQL database of the site. Each site needs its own database.',
  }),
  CMS_DATABASE_DIRECT_URL: postgresUrl({
    alias: ['DATABASE_DIRECT_URL'],
    defaultText: 'CMS_DATABASE_URL',
    doc: 'The same database without PgBouncer, if CMS_DATABASE_URL leads through PgBouncer in transaction mode. Used for notifications, migrations and building indexes.',
  }),
  DB_POOL_SIZE: integer({ min: 2, max: 1000 })({ default: '5', doc: 'Database connections per process.' }),
}
