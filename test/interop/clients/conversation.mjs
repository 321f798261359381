// What every client asks a server of the sample, and what it is answered, as one line of JSON.

/** @param client A connected client of either version of the SDK. */
export async function converse(client) {
  const call = async (name, args) => {
    try {
      return await client.callTool({ name, arguments: args })
    } catch (error) {
      return { thrown: error.message }
    }
  }
  const { tools } = await client.listTools()
  const answers = {
    listed: tools.map(({ name, annotations }) => ({ name, annotations })),
    bold: await call('PhraseEmphasis.bold', { phrase: 'hi' }),
    found: await call('searchText', { query: 'glacier', where: { folder: 'examples/sample/texts' } }),
    refused: await call('searchText', { query: '', where: { folder: 5 } }),
    unknown: await call('constructor', {}),
  }
  await client.close()
  console.log(JSON.stringify(answers))
}
