import type { ColumnType, Generated } from 'kysely'

/** Tables of plugins. */
export type PluginTables = {
  plugin: PluginTable
  plugin_file: PluginFileTable
  plugin_document: PluginDocumentTable
  plugin_event: PluginEventTable
  plugin_schedule: PluginScheduleTable
  plugin_run: PluginRunTable
}

type Json = ColumnType<unknown, string, string>

type PluginTable = {
  name: string
  enabled: boolean
  manifest: Json
  hash: string
  approved: ColumnType<unknown, string | null, string | null>
  settings: ColumnType<unknown, string | undefined, string>
  deaths: Generated<Date[]>
  last_error: string | null
  last_error_at: Date | null
  broken_hash: string | null
  version: Generated<number>
  installed_at: Date | null
  updated_at: Date
  updated_by: string | null
}

type PluginFileTable = {
  plugin: string
  path: string
  bytes: Buffer
}

type PluginDocumentTable = {
  plugin: string
  collection: string
  id: string
  value: Json
  indexed: Json
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

type PluginEventTable = {
  id: string
  plugin: string
  record: string
  event: string
  payload: Json
  due_at: Date | null
  claims: Generated<number>
  attempts: Generated<number>
  created_at: Date
  chain: Generated<number>
}

type PluginScheduleTable = {
  id: string
  plugin: string
  name: string
  every_ms: ColumnType<string, number, number>
  due_at: Date | null
  claims: Generated<number>
  last_at: Date | null
}

type PluginRunTable = {
  id: string
  plugin: string
  at: Date
  kind: 'start' | 'route' | 'event' | 'schedule'
  name: string
  ms: number
  outcome: 'done' | 'refused' | 'failed'
  message: string | null
  lines: Json
}
