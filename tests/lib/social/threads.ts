import { graphError } from './meta.ts'
import { createProfileFake, download, type ProfileFake, type ProfileOptions } from './meta-profile.ts'
import { isMp4, readPicture } from './picture-facts.ts'

const ACCOUNT = '25000000000000001'
const REPLY_CONTROLS = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
]

export const createFakeThreads = (options: ProfileOptions = {}): ProfileFake =>
  createProfileFake(
    {
      version: 'v1.0',
      account: ACCOUNT,
      scopes: ['threads_basic', 'threads_content_publish', 'threads_manage_replies'],
      publishScope: 'threads_content_publish',
      prefix: 'th',
      edge: 'threads',
      publishEdge: 'threads_publish',
      limitEdge: 'threads_publishing_limit',
      stateMember: 'status',
      reasonMember: 'error_message',
      captionMember: 'text',
      permalink: (id) => `https://www.threads.net/@acme/post/${id}`,
      tokenAnswer: () => ({}),
      profile: { id: ACCOUNT, username: 'acme', name: 'Acme' },
      hasComments: false,
      check: checkMedium,
      carouselMax: 20,
    },
    options,
  )

const checkMedium = async (form: Record<string, string>, isChild: boolean): Promise<void> => {
  const { media_type: type, reply_control: control } = form
  if (control && !REPLY_CONTROLS.includes(control)) throw graphError({ message: 'Invalid reply_control', code: 100 })
  if (type === 'TEXT') {
    if (!form.text || isChild || form.alt_text) throw graphError({ message: 'A text post needs text only', code: 100 })
    return
  }
  if (type === 'VIDEO') {
    if (!isMp4(await download(form.video_url))) throw graphError({ message: 'Unsupported video format', code: 100 })
    return
  }
  if (type !== 'IMAGE') throw graphError({ message: 'Param media_type must be one of TEXT, IMAGE, VIDEO', code: 100 })
  const picture = readPicture(await download(form.image_url))
  const aspect = picture && picture.width / picture.height
  if (!picture || picture.type === 'image/gif' || !aspect || aspect > 10 || aspect < 0.1)
    throw graphError({ message: 'Unsupported image', code: 100 })
  if (picture.width < 320 || picture.width > 1440) throw graphError({ message: 'Unsupported image width', code: 100 })
}
