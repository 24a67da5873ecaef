import type { Ctx } from '../../context.ts'
import { error } from '../../errors.ts'
import { type Connected, ollamaCapabilities, ProviderError } from '../providers/providers.ts'

const ASK_MS = 15_000
const NO_VISION = "The connected model can't read images. Connect one with vision, or write the text yourself."

/** Refuses a model that says that it reads text only, before it is sent a picture. Hosted ones say so when they get one. */
export const requireVision = async (ctx: Ctx, connected: Connected): Promise<void> => {
  if (connected.kind !== 'local' && connected.kind !== 'cloud') return
  const capabilities = await ollamaCapabilities(ctx, connected, AbortSignal.timeout(ASK_MS)).catch(
    (raised: unknown) => {
      // The request itself reports why the model can't be called
      ctx.log.info({ err: raised }, 'a model does not say what it can do')
      return null
    },
  )
  if (capabilities !== null && !capabilities.includes('vision'))
    throw error('AI_PROVIDER_ERROR', { message: NO_VISION, details: { capability: 'vision' } })
}

/** What a provider means that refuses a request with a picture because of the picture. */
export const withoutVision = (raised: ProviderError): ProviderError => {
  const isAboutPicture = /\b(?:images?|vision|multimodal|image_url|input_image)\b/i.test(raised.providerText ?? '')
  if (!isAboutPicture || (raised.code !== 'AI_PROVIDER_ERROR' && raised.code !== 'AI_BAD_RESPONSE')) return raised
  const { providerText } = raised
  return new ProviderError('AI_PROVIDER_ERROR', NO_VISION, { providerText, cause: raised })
}
