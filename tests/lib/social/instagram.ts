import { graphError } from './meta.ts'
import { createProfileFake, download, type ProfileFake, type ProfileOptions } from './meta-profile.ts'
import { isMp4, readPicture } from './picture-facts.ts'

const ACCOUNT = '17841400000000001'

export const createFakeInstagram = (options: ProfileOptions = {}): ProfileFake =>
  createProfileFake(
    {
      version: 'v25.0',
      account: ACCOUNT,
      scopes: ['instagram_business_basic', 'instagram_business_content_publish', 'instagram_business_manage_comments'],
      publishScope: 'instagram_business_content_publish',
      prefix: 'ig',
      edge: 'media',
      publishEdge: 'media_publish',
      limitEdge: 'content_publishing_limit',
      stateMember: 'status_code',
      reasonMember: 'status',
      captionMember: 'caption',
      permalink: (id) => `https://www.instagram.com/p/${id}/`,
      tokenAnswer: (scopes) => ({ permissions: scopes.join(',') }),
      profile: { user_id: ACCOUNT, username: 'acme', name: 'Acme', id: '1' },
      hasComments: true,
      check: checkMedium,
      carouselMax: 10,
    },
    options,
  )

const checkMedium = async (form: Record<string, string>): Promise<void> => {
  if ((form.caption ?? '').length > 2200)
    throw graphError({ message: 'The caption is too long', code: 36004, error_subcode: 2207010 })
  if (form.video_url) {
    if (form.media_type !== 'REELS') throw graphError({ message: 'Only REELS are supported', code: 100 })
    if (form.alt_text) throw graphError({ message: 'alt_text is for images only', code: 100 })
    if (!isMp4(await download(form.video_url, 2207052)))
      throw graphError({ message: 'Unsupported video format', code: 352, error_subcode: 2207026 })
    return
  }
  if (!form.image_url) throw graphError({ message: 'The parameter image_url is required', code: 100 })
  const bytes = await download(form.image_url, 2207052)
  const picture = readPicture(bytes)
  if (picture?.type !== 'image/jpeg')
    throw graphError({ message: 'Only JPEG is supported', code: 36001, error_subcode: 2207005 })
  if (bytes.length > 8 * 2 ** 20) throw graphError({ message: 'Image too large', code: 36000, error_subcode: 2207004 })
  const aspect = picture.width / picture.height
  if (aspect < 0.795 || aspect > 1.92 || picture.width < 320 || picture.width > 1440)
    throw graphError({ message: 'The aspect ratio is not supported', code: 36003, error_subcode: 2207009 })
}
