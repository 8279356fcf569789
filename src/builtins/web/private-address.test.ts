import { describe, expect, it } from "vitest";
import { isPrivateAddress, isPrivateHost, normalAddress } from "./private-address.ts";

describe("an IP address", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:a00:1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::a",
    "64:ff9b:1::808:808",
    "100::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2001::1",
    "2001:0:53aa:64c:0:fbff:7f00:1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "3fff::1",
    "4000::1",
    "not an address",
    "",
  ])("[B8] [X1] is private: %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.169.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("[B8] is public: %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  it("[X1] has one normal spelling", () => {
    expect(normalAddress("::ffff:127.0.0.1")).toBe("127.0.0.1");
    expect(normalAddress("127.0.0.1")).toBe("127.0.0.1");
    expect(normalAddress("2001:DB8:0:0::1")).toBe("2001:db8::1");
    expect(normalAddress("fe80::1%eth0")).toBe("fe80::1%eth0");
  });
});

it.each([
  ["http://localhost/", true],
  ["http://a.b.localhost:80/", true],
  ["http://127.1/", true],
  ["http://[::1]/", true],
  ["http://[fd00::1]/", true],
  ["http://localhost.example.com/", false],
  ["http://notlocalhost/", false],
  ["http://8.8.8.8/", false],
  ["http://[2606:4700:4700::1111]/", false],
])("[B8] [X1] whether the URL %s contains a private address: %s", (url, expected) => {
  expect(isPrivateHost(new URL(url))).toBe(expected);
});
