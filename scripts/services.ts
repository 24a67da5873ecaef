/** A service that `npm start` runs. */
export type Service = {
  name: string
  /** Its main file, from the root of the repository or absolute. */
  entry: string
  /** The file that `npm start` runs instead, built by `scripts/bundle.ts`. */
  bundle?: string
  /** Its database on the embedded PostgreSQL. */
  database: string
  /** The variable with its database's URL; outsiders may set it, and the service always gets it. */
  urlVariable: string
  /** Shows how things are done: production runs it only when it is named. */
  isExample?: true
  /** Further folders whose change starts it again in development. */
  sources?: string[]
}

export const services: Service[] = [
  {
    name: 'cms',
    entry: 'services/cms/src/main.ts',
    bundle: 'services/cms/dist/main.js',
    database: 'stoa_cms',
    urlVariable: 'CMS_DATABASE_URL',
  },
  {
    name: 'mail',
    entry: 'services/mail/src/main.ts',
    bundle: 'services/mail/dist/main.js',
    database: 'stoa_mail',
    urlVariable: 'MAIL_DATABASE_URL',
  },
  {
    name: 'site',
    entry: 'examples/site/src/main.ts',
    bundle: 'examples/site/dist/main.js',
    // A website with the CMS inside, on the database of the CMS.
    database: 'stoa_cms',
    urlVariable: 'CMS_DATABASE_URL',
    isExample: true,
    sources: ['services/cms/src', 'packages/cms-model/src', 'packages/cms-host/src', 'packages/cms-client/src'],
  },
]

/** The program that `npm start` runs for a service, relative to the root of the repository. */
export const programOf = (name: string): string => {
  const found = services.find((service) => service.name === name)
  if (!found) throw new Error(`There is no service "${name}"`)
  return found.bundle ?? found.entry
}

/**
 * How Node runs a service. Requests leave garbage that is dead within milliseconds: with room for more of it, Node looks for it
 * less often. Under load it takes that room by itself, and gives it back some seconds after; with a minimum it would keep 30 MB
 * in every process that has nothing to do.
 */
export const nodeFlags = ['--max-semi-space-size=16'] as const

/**
 * What a service's environment has unless the operator says otherwise. What checking a password takes (19 MB) goes back to the
 * system each time, for 12 ms of CPU. Otherwise `malloc` would keep it once for each thread, and connections would get memory that
 * is all in use where they touch half of it.
 */
export const nodeEnvironment = { MALLOC_MMAP_THRESHOLD_: String(4 * 1_024 * 1_024) } as const

/** The services that the arguments name; all of them without arguments. */
export const selectServices = (all: Service[], names: string[]): Service[] => {
  const unknown = names.find((name) => !all.some((service) => service.name === name))
  if (unknown) throw new Error(`Unknown service "${unknown}". Services: ${all.map(({ name }) => name).join(', ')}`)
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}
