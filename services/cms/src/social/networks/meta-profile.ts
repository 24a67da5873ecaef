import { addressOf, requireText, textOf } from './http/read-reply.ts'
import { atOrigin, exchangeMetaCode, fetchMetaToken, type Graph, toTokens } from './meta.ts'
import type { Network } from './network.ts'

/** How the two networks whose consent is for one profile differ. */
export type ProfileFacts = {
  graph: Graph
  label: string
  /** The prefix of the grant types. */
  prefix: 'ig' | 'th'
  idMember: 'user_id' | 'id'
  pictureMember: 'profile_picture_url' | 'threads_profile_picture_url'
  profileUrlOf(username: string): string
}

/** Consent to one profile: a first token is exchanged for one of 60 days, which is renewed with itself. */
export const profileConsent = (facts: ProfileFacts): Pick<Network, 'connect' | 'refresh'> => {
  const { graph, label, prefix } = facts
  return {
    async connect(reach, grant) {
      const code = grant.code.replace(/#_$/, '')
      const first = await exchangeMetaCode(graph, reach, { grant_type: 'authorization_code', code }, label)
      const { apiBase, scopes } = reach.endpoints
      const query = {
        grant_type: `${prefix}_exchange_token`,
        client_secret: reach.clientSecret.reveal(),
        access_token: first.accessToken.reveal(),
      }
      const token = await fetchMetaToken(graph, reach, { url: atOrigin(apiBase, '/access_token'), query }, label)
      const fields = [facts.idMember, 'username', 'name', facts.pictureMember].join(',')
      const signedIn = { ...reach, accessToken: token.accessToken }
      const profile = await graph(signedIn, { url: `${apiBase}/me`, query: { fields } })
      const username = textOf(profile.username)
      return [
        {
          remoteId: requireText(profile, facts.idMember, label, 'transient'),
          name: textOf(profile.name) ?? username ?? label,
          handle: username,
          avatarUrl: addressOf(profile[facts.pictureMember]),
          profileUrl: username && facts.profileUrlOf(username),
          kind: 'profile',
          tokens: toTokens(token, first.scopes ?? scopes),
          capabilities: {},
        },
      ]
    },

    refresh: {
      when: 'early',
      async run(reach, tokens) {
        const url = atOrigin(reach.endpoints.apiBase, '/refresh_access_token')
        const query = { grant_type: `${prefix}_refresh_token`, access_token: tokens.accessToken.reveal() }
        return toTokens(await fetchMetaToken(graph, reach, { url, query }, label), tokens.scopes)
      },
    },
  }
}
