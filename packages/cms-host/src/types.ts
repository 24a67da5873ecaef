import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DesignManifest, VisualDefinition, WebsiteManifest } from './definitions.ts'

/**
 * What `createCms` takes. Everything is optional. `visual`, `website` and `design` are stored: every process of the
 * database uses those of the last start that gave them, and an empty object takes them back.
 */
export type CmsOptions = {
  /** Where the admin screens live: a path such as `/admin` (the default). Every other address of the CMS is fixed. */
  adminBase?: string | undefined
  /** Pages that can be edited on the page itself, by the name of their content type. */
  visual?: Readonly<Record<string, VisualDefinition>> | undefined
  /** The parts that all pages of the website share. */
  website?: WebsiteManifest | undefined
  /** What of the website's looks people may change in the admin. */
  design?: DesignManifest | undefined
  /** The settings, by the names of the environment variables; those of the process if absent. */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** False: this process does no background work, such as scheduled publication; another one on the database must. */
  workers?: boolean | undefined
}

/** A CMS inside your process. */
export type CmsInstance = {
  /**
   * Answers a request of `node:http`. Paths that are not the CMS's go to `next`, or are answered with 404 without one.
   * Put it before anything that reads request bodies.
   */
  handler(request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void
  /** Takes over a WebSocket handshake of `server.on('upgrade')`. False: it was not the CMS's, and is yours to answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Answers without a network: read content with a delivery key, or mount the CMS in a `Request`/`Response` server. */
  fetch(request: Request): Promise<Response>
  /**
   * A number that changes with every change of content, also by schedules and other processes. Read it before you begin
   * to render, and keep the result only if it is still the same afterwards.
   */
  contentVersion(): number
  /** The looks that people set, at once from memory. Where they change, `contentVersion` does. */
  design(): Design
  /** Answers what is under way, then ends background work and database connections. */
  close(): Promise<void>
}

/** What holds now: the value of every property, pictures as addresses, and a style sheet for your pages. */
export type Design = {
  surfaces: readonly { id: string; values: Readonly<Record<string, string | number | null>> }[]
  /** The custom properties that people set, under the selectors of their surfaces; empty when nobody did. */
  css: string
}
