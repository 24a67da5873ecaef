import { startJmapServer } from '@stoa/mail/doors/jmap/testing/server.ts'

/** A JMAP server that says what it used. */
const [, , databaseUrl = '', folder = ''] = process.argv
const { port } = await startJmapServer({ databaseUrl, folder, poolSize: 10 })
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ seconds: (user + system) / 1e6, megabytes: Math.max(peak, process.memoryUsage.rss()) / 1e6 })
})
process.on('disconnect', () => process.exit())
process.send?.({ port })
