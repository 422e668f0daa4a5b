import { AwsV4Signer } from 'aws4fetch';
import { describe, expect, it } from 'vitest';
import { signRequest } from './sign-request.ts';

// From "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk" of the Amazon S3 API reference.
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const TIME = '20130524T000000Z';
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const at = (rest: string) => new URL(`https://examplebucket.s3.amazonaws.com/${rest}`);

describe('a signature', () => {
  it.each([
    {
      what: 'a part of an object',
      request: { method: 'GET', url: at('test.txt'), headers: { range: 'bytes=0-9' }, sha256: NOTHING },
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      what: 'an object that is put, with a letter in its name that has to be encoded',
      request: {
        method: 'PUT',
        url: at('test$file.text'),
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      what: 'a query without a value',
      request: { method: 'GET', url: at('?lifecycle'), headers: {}, sha256: NOTHING },
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      what: 'a list',
      request: { method: 'GET', url: at('?max-keys=2&prefix=J'), headers: {}, sha256: NOTHING },
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ])('OPS-5 is the one that AWS publishes for $what', async ({ request, signature }) => {
    const { authorization } = await signRequest(request, CREDENTIALS, TIME);
    expect(authorization).toContain(`Signature=${signature}`);
  });

  it.each([
    ['get-vanilla', '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      '?Param2=value2&Param1=value1',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
  ])('OPS-5 by the library is the one of the test suite of AWS, %s', async (_name, query, signature) => {
    const signer = new AwsV4Signer({
      ...{ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
      ...{ region: 'us-east-1', service: 'service', datetime: '20150830T123600Z' },
      ...{ method: 'GET', url: `https://example.amazonaws.com/${query}` },
    });
    expect(await signer.signature()).toBe(signature);
  });
});
