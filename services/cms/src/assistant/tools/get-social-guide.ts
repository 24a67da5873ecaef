import { z } from 'zod'
import { readApps } from './get-social-setup.ts'
import { counted, result } from './reading.ts'
import { tool } from './tool.ts'

export const getSocialGuide = tool({
  name: 'get_social_guide',
  kind: 'read',
  permission: 'social.manage',
  description: 'Steps through one network developer console.',
  input: z.strictObject({ network: z.string() }),
  label: ({ network }) => `Reading the setup guide for ${network}`,
  async run(reach, { network }) {
    const guides = (await readApps(reach, network)).map((app) => ({
      network: app.network,
      consoleUrl: app.consoleUrl,
      callbackUrl: app.callbackUrl,
      scopes: app.scopes,
      steps: app.walkthrough,
    }))
    return result(guides[0] ?? {}, counted(guides[0]?.steps.length ?? 0, 'step'))
  },
})
