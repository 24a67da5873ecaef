import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { manifestSchemaText } from './manifest-schema.ts'

test('manifest.schema.json is what the service accepts: `npm run -s cms:plugin -- schema` writes it', () => {
  const stored = readFileSync(new URL('../manifest.schema.json', import.meta.url), 'utf8')
  assert.deepEqual(JSON.parse(stored), JSON.parse(manifestSchemaText()))
})
