// `npm start [service…]`: the database, then the services, until someone stops it.
import { join } from 'node:path'
import { type Databases, openDatabases } from './databases.ts'
import { type Environment, ensureSecret, loadEnvironment } from './environment.ts'
import { claimInstance, explainBusy } from './instance.ts'
import { type Service, selectServices, services } from './services.ts'
import { type SupervisedService, superviseService } from './supervisor.ts'
import { print, printError, stopRequest } from './terminal.ts'

/** Runs the services until a signal comes; gives the exit code. */
export const start = async (all: Service[], names: string[]): Promise<number> => {
  const selected = selectServices(all, names)
  const signal = stopRequest()
  const found = loadEnvironment()
  const isBare = names.length === 0 && found.env.NODE_ENV === 'production'
  const chosen = isBare ? selected.filter(({ isExample }) => !isExample) : selected
  const instance = claimInstance(found.dataDir)
  if (!instance) return printError(explainBusy(found.dataDir))
  let databases: Databases | undefined
  try {
    const environment = ensureSecret(found, print)
    databases = await openDatabases(chosen, { environment, print, signal })
    instance.publish(databases.urls)
    signal.throwIfAborted()
    await runServices(chosen, environment, databases, signal)
    return 0
  } catch (error) {
    return signal.aborted ? 0 : printError(error)
  } finally {
    await databases?.stop()
    instance.release()
  }
}

const runServices = async (
  chosen: Service[],
  { env, dataDir }: Environment,
  databases: Databases,
  request: AbortSignal,
): Promise<void> => {
  const failure = new AbortController()
  const signal = AbortSignal.any([request, failure.signal])
  const starting = chosen.map((service) => {
    print(`Starting ${service.name}`)
    const own = {
      [service.urlVariable]: databases.urls[service.name],
      STOA_ALONE: String(chosen.length === 1),
      ...siteUrlOf(chosen, env),
    }
    return superviseService(service, { env: { ...env, ...own }, print, signal, isBundled: true })
  })
  try {
    showBanner(await Promise.all(starting), databases, dataDir)
  } catch (error) {
    failure.abort()
    throw error
  } finally {
    for (const result of await Promise.allSettled(starting)) if (result.status === 'fulfilled') await result.value.ended
  }
}

/** Where the example website is, if it runs: the demo content of the CMS leads there. */
const siteUrlOf = (chosen: Service[], { SITE_URL, SITE_PORT = '4301' }: Environment['env']): { SITE_URL?: string } =>
  chosen.some(({ name }) => name === 'site') ? { SITE_URL: SITE_URL ?? `http://localhost:${SITE_PORT}` } : {}

const showBanner = (running: SupervisedService[], databases: Databases, dataDir: string): void => {
  const lines = running.flatMap((service) => service.lines)
  if (databases.port) lines.push(['PostgreSQL', `127.0.0.1:${databases.port}, files in ${join(dataDir, 'postgres')}`])
  lines.push(['Data', dataDir], ['Stop', `Ctrl-C, or kill ${process.pid}`])
  const width = Math.max(...lines.map(([label]) => label.length))
  const text = lines.map(([label, value]) => `    ${label.padEnd(width)}  ${value}`).join('\n')
  console.log(`\n  Stoa is running\n\n${text}\n`)
}

if (import.meta.main) process.exit(await start(services, process.argv.slice(2)).catch(printError))
