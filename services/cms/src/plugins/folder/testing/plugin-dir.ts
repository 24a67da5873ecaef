import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary PLUGIN_DIR. */
export type PluginDir = {
  readonly path: string
  /** Writes a folder anew: what is wrong in `manifest` is written as it is, text as it stands. */
  write(name: string, manifest?: object | string, files?: Record<string, string | Buffer>): Promise<void>
  remove(name: string): Promise<void>
  close(): Promise<void>
}

export const SERVER = `export const routes = {}\nexport const events = {}\nexport const schedules = {}\n`

/** A manifest that asks for nothing. */
export const manifestOf = (name: string, members: object = {}): object => ({
  name,
  label: `The ${name} plugin`,
  version: '1.0.0',
  description: 'For tests',
  api: 1,
  server: 'server.js',
  ...members,
})

export const openPluginDir = async (): Promise<PluginDir> => {
  const path = await mkdtemp(join(tmpdir(), 'stoa-plugins-'))
  const remove = (name: string) => rm(join(path, name), { recursive: true, force: true })
  return {
    path,
    remove,
    async write(name, manifest = {}, files = {}) {
      await remove(name)
      const json = typeof manifest === 'string' ? manifest : JSON.stringify(manifestOf(name, manifest))
      for (const [file, content] of Object.entries({ 'plugin.json': json, 'server.js': SERVER, ...files })) {
        await mkdir(dirname(join(path, name, file)), { recursive: true })
        await writeFile(join(path, name, file), content)
      }
    },
    close: () => rm(path, { recursive: true, force: true }),
  }
}
