import { proposeEntryUpdate } from './propose-entry-update.ts'
import type { Tool } from './tool.ts'

/** Every tool that proposes a change; a person makes it, or not. */
export const proposeTools: readonly Tool[] = [proposeEntryUpdate]

/** The routes by which proposals are applied. Others refuse to be told of one. */
export const proposedRoutes: ReadonlySet<string> = new Set(['PUT /api/entries/:id'])
