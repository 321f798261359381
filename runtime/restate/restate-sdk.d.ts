// Restate's SDK is an optional peer that only `npm run durable` installs; ./sdk.ts writes down what is used of it.
declare module '@restatedev/restate-sdk'
