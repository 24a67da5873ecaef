import type { Ctx } from '../../context.ts'
import { catalogue, error } from '../../errors.ts'
import { type Connected, ProviderError, readCapabilities } from '../providers/providers.ts'

const ASK_MS = 15_000

/** Refuses a model that says that it reads text only, before it is sent a picture. */
export const requireVision = async (ctx: Ctx, connected: Connected): Promise<void> => {
  const capabilities = await readCapabilities(ctx, connected, AbortSignal.timeout(ASK_MS)).catch((raised: unknown) => {
    // What keeps it from being asked is told by the request itself
    ctx.log.info({ err: raised }, 'a model does not say what it can do')
    return null
  })
  if (capabilities !== null && !capabilities.includes('vision')) throw error('AI_NO_VISION')
}

/** What a provider means that refuses a request with a picture because of the picture. */
export const withoutVision = (raised: ProviderError): ProviderError => {
  const isAboutPicture = /\b(?:images?|vision|multimodal|image_url|input_image)\b/i.test(raised.providerText ?? '')
  if (!isAboutPicture || (raised.code !== 'AI_PROVIDER_ERROR' && raised.code !== 'AI_BAD_RESPONSE')) return raised
  const { providerText } = raised
  return new ProviderError('AI_NO_VISION', catalogue.AI_NO_VISION.message, { providerText, cause: raised })
}
