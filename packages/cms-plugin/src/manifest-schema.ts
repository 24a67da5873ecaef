import { pluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { z } from 'zod'

/** The JSON schema of `plugin.json`, for editors that complete and check it while it is written. */
const manifestSchema = (): object => ({
  ...z.toJSONSchema(pluginManifest, { io: 'input' }),
  title: 'Stoa plugin',
})

/** As it is stored in `manifest.schema.json`. */
export const manifestSchemaText = (): string => `${JSON.stringify(manifestSchema(), null, 2)}\n`
