// `npm run dev`: the database, both services started again on every change of their sources, and Vite for the web UIs.
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'vite'
import { openDatabases } from './databases.ts'
import { ensureSecret, loadEnvironment, root } from './environment.ts'
import { claimInstance, explainBusy } from './instance.ts'
import { type Service, services } from './services.ts'
import { launchService, type ServiceOptions } from './supervisor.ts'
import { print, printError, stopRequest } from './terminal.ts'

/** Unless something else is asked for: it starts again at every change. */
const ONE_PROCESS = { WORKERS: '1', MAIL_WORKERS: '1' }

const dev = async (): Promise<number> => {
  const signal = stopRequest()
  const found = loadEnvironment()
  const instance = claimInstance(found.dataDir)
  if (!instance) return printError(explainBusy(found.dataDir))
  const environment = ensureSecret(found, print)
  const databases = await openDatabases(services, { environment, print, signal })
  instance.publish(databases.urls)
  const running = services.map((service) => {
    const own = { [service.urlVariable]: databases.urls[service.name], STOA_ALONE: 'false' }
    return runWatched(service, { env: { ...ONE_PROCESS, ...environment.env, ...own }, print, signal })
  })
  const webs = await startVite()
  await Promise.all(running)
  await Promise.all(webs.map((web) => web.close()))
  await databases.stop()
  instance.release()
  return 0
}

/** Runs the service; after a change of its sources, again. */
const runWatched = async (service: Service, options: ServiceOptions): Promise<void> => {
  const own = dirname(dirname(service.entry))
  const folders = [own, 'packages/kit/src', `packages/${service.name}-model/src`, ...(service.sources ?? [])]
  while (!options.signal.aborted) {
    const change = new AbortController()
    const current = launchService(service, { ...options, signal: AbortSignal.any([options.signal, change.signal]) })
    current.ready.then(
      (lines) => print(lines.map(([label, value]) => `${label} ${value}`).join(', ')),
      () => print(`${service.name} is waiting for a change`),
    )
    await nextChange(folders, options.signal)
    change.abort()
    await current.ended
  }
}

const SETTLE_MS = 100 // an editor saves several files in a row

const nextChange = async (folders: string[], signal: AbortSignal): Promise<void> => {
  await new Promise<void>((changed) => {
    const watchers = folders
      .filter((folder) => fs.existsSync(join(root, folder)))
      .map((folder) => fs.watch(join(root, folder), { recursive: true }))
    const finish = (): void => {
      for (const watcher of watchers) watcher.close()
      signal.removeEventListener('abort', finish)
      changed()
    }
    for (const watcher of watchers) watcher.once('change', finish)
    signal.addEventListener('abort', finish)
  })
  await sleep(SETTLE_MS)
}

const startVite = async () => {
  const folders = fs.readdirSync(join(root, 'web')).map((name) => join(root, 'web', name))
  const servers = folders
    .filter((folder) => fs.existsSync(join(folder, 'vite.config.ts')))
    .map((folder) => createServer({ root: folder }))
  for (const server of await Promise.all(servers)) {
    await server.listen()
    server.printUrls()
  }
  return Promise.all(servers)
}

process.exit(await dev().catch(printError))
