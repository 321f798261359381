import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import {
  Client,
  ClientCredentialsProvider,
  discoverOAuthProtectedResourceMetadata,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { type ToolServerOptions, toolServer } from 'callsheet/server'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { workshop } from './serving.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** Listens on a free port of loopback, and answers with what is made for that address. */
async function listen(
  answer: (url: string) => (request: Request) => Response | Promise<Response>,
): Promise<string> {
  let handle: ReturnType<typeof answer>
  const server = createAdaptorServer({ fetch: (request) => handle(request) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handle = answer(url)
  return url
}

const { privateKey, publicKey } = await generateKeyPair('ES256')
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })

/** An authorization server that issues a token for what its client asks for. @returns Its address, and the forms it received. */
async function authorizationServer() {
  const forms: Record<string, string>[] = []
  const url = await listen((issuer) => async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/.well-known/oauth-authorization-server') {
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      })
    }
    if (pathname !== '/token') return new Response(null, { status: 404 })
    const form = Object.fromEntries(new URLSearchParams(await request.text()))
    forms.push(form)
    const token = new SignJWT({ scope: form.scope }).setProtectedHeader({ alg: 'ES256' })
    const access_token = await token
      .setIssuer(issuer)
      .setSubject(form.client_id ?? '')
      .setAudience(form.resource ?? '')
      .setExpirationTime('5m')
      .sign(privateKey)
    return Response.json({ access_token, token_type: 'Bearer', expires_in: 300, scope: form.scope })
  })
  return { issuer: url, forms }
}

/** The workshop, for which tokens of an issuer count. */
function protectedBy(issuer: string, path = '/mcp', options: ToolServerOptions = {}) {
  return listen((url) =>
    toolServer(workshop().Tool, {
      oauth: { resource: `${url}${path}`, authorizationServers: [issuer], scopes: ['tools'] },
      async authorize(request) {
        const [, token] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
        if (token === undefined) return undefined
        const expected = { issuer, audience: `${url}${path}` }
        const verified = await jwtVerify(token, keys, expected).catch(() => undefined)
        return verified?.payload.sub ? { id: verified.payload.sub } : undefined
      },
      ...options,
    }),
  )
}

describe('SERVE-6 OAuth clients are told where to get a token', () => {
  test('the real MCP client, which knows the address alone, gets one and calls a Tool', async () => {
    const { issuer, forms } = await authorizationServer()
    const url = await protectedBy(issuer)
    const client = new Client({ name: 'test', version: '1' })
    const authProvider = new ClientCredentialsProvider({
      clientId: 'anna',
      clientSecret: 'secret',
      expectedIssuer: issuer,
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider }))
    const { structuredContent } = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } })
    expect(structuredContent).toEqual({ result: 3 })
    await client.close()
    // It found the issuer and the scope, and asked for a token for this server alone.
    expect(forms).toEqual([
      expect.objectContaining({ client_id: 'anna', scope: 'tools', resource: `${url}/mcp` }),
    ])
  })

  test('each refused request says where, and what is wrong with a token that came', async () => {
    const url = await protectedBy('https://auth.example')
    const challenge = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="tools"`
    for (const path of ['/mcp', '/tools', '/openapi.json']) {
      const { status, headers } = await fetch(url + path)
      expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer ${challenge}`])
    }
    const { headers } = await fetch(`${url}/tools`, { headers: { authorization: 'Bearer other' } })
    expect(headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${challenge}`)
  })

  test.each([
    ['/mcp', ''],
    ['/agents/tools/mcp', '/agents/tools'],
    ['', ''],
    ['/', ''],
  ])('the document of %s is where RFC 9728 has it, whoever asks', async (path, basePath) => {
    const url = await protectedBy('https://auth.example', path, { basePath })
    const document = `${url}/.well-known/oauth-protected-resource${path === '/' ? '' : path}`
    expect(await discoverOAuthProtectedResourceMetadata(`${url}${path}`)).toEqual({
      resource: `${url}${path}`,
      authorization_servers: ['https://auth.example'],
      scopes_supported: ['tools'],
      bearer_methods_supported: ['header'],
    })
    const head = await fetch(document, { method: 'HEAD', headers: { authorization: 'Bearer wrong' } })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const preflight = await fetch(document, { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } })
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    const posted = await fetch(document, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${document}/other`)).status).toBe(401)
  })

  test('without the option there is no document, and the challenge names no place', async () => {
    const url = await protectedBy('https://auth.example', '/mcp', { oauth: undefined })
    const { status, headers } = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  const authorize = () => undefined
  const issuers = { authorizationServers: ['https://auth.example'] }
  test.each([
    [
      { oauth: { resource: 'https://a.example/mcp', ...issuers } },
      /tells clients where to get a token needs/,
    ],
    [{ authorize, oauth: {} }, /\/oauth\/resource: .*; \/oauth\/authorizationServers: /],
    [
      { authorize, oauth: { resource: 'http://a.example/mcp', ...issuers } },
      /an https address without query/,
    ],
    [{ authorize, oauth: { resource: 'https://a.example/mcp?key=1', ...issuers } }, /\/oauth\/resource: /],
    [{ authorize, oauth: { resource: '/mcp', ...issuers } }, /\/oauth\/resource: /],
    [{ authorize, oauth: { resource: 'https://a.example/mcp\n', ...issuers } }, /\/oauth\/resource: /],
    [
      { authorize, oauth: { resource: 'https://a.example', authorizationServers: [] } },
      /\/oauth\/authoriz.*: expected a list/,
    ],
    [
      { authorize, oauth: { resource: 'https://a.example', ...issuers, scopes: ['a b'] } },
      /\/oauth\/scopes: .* without spaces/,
    ],
    [
      { authorize, oauth: { resource: 'https://a.example', ...issuers, scopes: ['a"\r\nb'] } },
      /\/oauth\/scopes: /,
    ],
    [
      { authorize, oauth: { resource: 'https://a.example', ...issuers, scope: ['a'] } },
      /did you mean "scopes"/,
    ],
    [{ authorize, oauth: 'https://auth.example' }, /\/oauth: expected an object/],
  ])('%j is refused', (options, message) => {
    const serveIt = () => toolServer(workshop().Tool, options as unknown as ToolServerOptions)
    expect(serveIt).toThrow(message)
  })

  test('an address with credentials in it is refused without being quoted', () => {
    const address = 'https://anna:secret@a.example/mcp'
    const oauth = { resource: address, authorizationServers: [address] }
    const serveIt = () => toolServer(workshop().Tool, { authorize, oauth })
    expect(serveIt).toThrow(/\/oauth\/resource: .*\/oauth\/authorizationServers: /)
    expect(serveIt).not.toThrow(/secret/)
  })
})
