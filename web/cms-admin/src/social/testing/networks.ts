import type { PickableAccount, SocialNetwork } from '../wire.ts'

const limits: SocialNetwork['limits'] = {
  captionMax: 280,
  captionCount: 'utf16',
  textOnly: true,
  imagesMax: 4,
  imageTypes: ['image/jpeg'],
  imageMaxBytes: 5_000_000,
  videoTypes: ['video/mp4'],
  videoMaxBytes: 500_000_000,
  videoSeconds: [1, 140],
  altText: { image: true, video: false, max: 1000 },
  link: 'caption',
  imageAspect: null,
}

export const account = (id: string, members: Partial<PickableAccount> = {}): PickableAccount => ({
  id,
  name: id,
  handle: null,
  avatarUrl: null,
  status: 'active',
  statusReason: null,
  capabilities: {},
  ...members,
})

type Given = Partial<Omit<SocialNetwork, 'limits'>> & { limits?: Partial<SocialNetwork['limits']> }

/** A network as the service describes it, with one account of the same name. */
export const network = (name: string, { limits: own, ...members }: Given = {}): SocialNetwork => ({
  network: name,
  label: name.charAt(0).toUpperCase() + name.slice(1),
  limits: { ...limits, ...own },
  options: [],
  accounts: [account(`${name}-1`)],
  enabled: true,
  warnings: [],
  ...members,
})
